import type { ComponentChildren } from 'preact';

/** Title of a page, with what can be done there on the right. */
export function PageHeader({
  title,
  subtitle,
  children,
}: {
  readonly title: string;
  readonly subtitle?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="page-header">
      <div class="page-header-text">
        <h1>{title}</h1>
        {subtitle !== undefined && <p class="page-subtitle">{subtitle}</p>}
      </div>
      {children !== undefined && <div class="page-actions">{children}</div>}
    </header>
  );
}
