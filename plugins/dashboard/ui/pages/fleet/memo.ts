import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';

/** Renders a component again only when one of its properties is another one. */
export function memo<Props extends object>(Inner: (props: Props) => ComponentChild): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const names = Object.keys(next) as (keyof Props)[];
      return names.some((name) => next[name] !== (this.props as Props)[name]);
    }

    override render(props: Props): ComponentChild {
      return h(Inner as FunctionComponent<Props>, props as never);
    }
  }
  return Memo as unknown as FunctionComponent<Props>;
}
