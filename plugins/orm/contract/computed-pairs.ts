import type { ColumnDefinition } from '../index.js';
import { area, code, column, ID, ROWS, things, type SchemaPair } from './schema-pairs.js';

const twice = (expression: string, more: Partial<ColumnDefinition> = {}) =>
  column('twice', 'int', { nullable: true, generated: true, expression, ...more });
const NAMED_TWICE = { property: 'doubled', column: 'doubled', rename: 'twice' } as const;
const summed = (...more: readonly ColumnDefinition[]) => [things([ID, code(), area(), ...more])];

// A text of some length, and one that is computed from it, indexed.
const shouted = (size: number, expression = 'upper(code)', ...more: readonly ColumnDefinition[]) =>
  things(
    [
      ID,
      code({ size }),
      area(),
      column('loud', 'string', { size: 40, nullable: true, generated: true, index: true, expression }),
      ...more,
    ],
    { checks: { loud: "loud <> 'NO'" } },
  );

/** Changes of columns that the database computes. */
export const COMPUTED_PAIRS: readonly SchemaPair[] = [
  {
    what: 'computed columns more',
    before: () => summed(),
    then: ROWS,
    after: () =>
      summed(
        twice('area*2'),
        column('label', 'string', {
          size: 60,
          generated: true,
          nullable: true,
          expression: "case when area > 1 then 'more, than (1)' else code end -- of both",
        }),
      ),
  },
  {
    what: 'a computed column more that is kept nowhere',
    needs: 'virtual columns',
    before: () => summed(),
    then: ROWS,
    after: () => summed(twice('area + coalesce(area, 0)', { virtual: true })),
  },
  {
    what: 'another expression of a computed column, with what stands on it',
    before: () => [
      things([ID, code(), area(), twice('area * 2')], {
        checks: { even: 'twice >= 0' },
        indexes: [{ columns: ['twice', 'code'], unique: true }],
      }),
    ],
    then: [...ROWS, 'CREATE INDEX by_hand ON things (twice DESC, id)'],
    after: () => [
      things([ID, code(), area(), twice('area * 2 + 0')], {
        checks: { even: 'twice >= 0' },
        indexes: [{ columns: ['twice', 'code'], unique: true }],
      }),
    ],
    resorted: true,
  },
  {
    what: 'a computed column that is made of a new one, which stands behind it',
    before: () => summed(twice('area * 0')),
    then: ROWS,
    after: () => [things([ID, code(), twice('coalesce(price, 0)'), column('price', 'int', { nullable: true })])],
    resorted: true,
    warning: /things\.area is dropped/,
  },
  {
    what: 'a computed column more, and the one that it is made of behind it',
    before: () => summed(),
    then: ROWS,
    after: () => summed(twice('price * 2'), column('price', 'int', { nullable: true })),
  },
  {
    what: 'a computed column less, and the one that it is made of',
    before: () => summed(twice('price * 2'), column('price', 'int', { nullable: true })),
    then: ROWS,
    after: () => summed(),
    warning: /things\.price is dropped/,
  },
  {
    what: 'another type of a computed column',
    nothingWith: 'one length of integers',
    before: () => summed(twice('area * 2')),
    then: ROWS,
    after: () => summed(column('twice', 'bigint', { nullable: true, generated: true, expression: 'area * 2' })),
  },
  {
    what: 'another type of a column that others are computed from, with what stands on these',
    nothingWith: 'one length of integers',
    before: () => [shouted(20, 'upper(code)', twice('area * 2'))],
    then: [...ROWS, 'CREATE INDEX by_hand ON things (loud DESC, id)'],
    after: () => [shouted(40, 'upper(code)', column('twice', 'int', { nullable: true, generated: true }))],
    resorted: true,
  },
  {
    what: 'another type of a column, and another expression of the one that is computed from it',
    before: () => [shouted(20)],
    then: ROWS,
    after: () => [shouted(40, 'upper(upper(code))', twice('area * 2'))],
    resorted: true,
  },
  {
    what: 'another type of a column, and without the one that was computed from it',
    before: () => [shouted(20)],
    then: ROWS,
    after: () => [things([ID, code({ size: 40 }), area()])],
  },
  {
    what: 'a column that is computed from now on',
    before: () => summed(column('twice', 'int', { nullable: true })),
    then: [...ROWS, 'UPDATE things SET twice = area * 2'],
    after: () => summed(twice('area * 2')),
    resorted: true,
    warning: /the values of things\.twice are dropped: the database computes it from now on/,
  },
  {
    what: 'a computed column that the database says in other words',
    isNothing: true,
    before: () => summed(),
    then: [...ROWS, 'ALTER TABLE things ADD twice int GENERATED ALWAYS AS (area * 2) STORED'],
    needs: 'stored columns',
    after: () => summed(twice('((AREA)*2)')),
  },
  {
    what: 'another name of the column that others are computed from, and that stands in indexes and a check',
    before: () => [
      things([ID, code(), area(), twice('area * 2', { index: true })], {
        checks: { large: 'area > 0' },
        indexes: [{ columns: ['area', 'code'] }],
      }),
    ],
    then: ROWS,
    after: () => {
      const size = column('size', 'int', { rename: 'area' });
      return [
        things([ID, code(), size, twice('size * 2', { index: true })], {
          checks: { large: 'size > 0' },
          indexes: [{ columns: ['size', 'code'] }],
        }),
      ];
    },
    resorted: true,
    warning: /the check things_large_\w+ of things is dropped/,
  },
  {
    what: 'another name of a computed column, and of the one that it is computed from',
    before: () => summed(twice('area * 2')),
    then: ROWS,
    after: () => {
      const size = column('size', 'int', { rename: 'area' });
      return [things([ID, code(), size, { ...twice('size * 2'), ...NAMED_TWICE }])];
    },
    resorted: true,
  },
  {
    what: 'another name of a computed column',
    before: () => summed(twice('area * 2')),
    then: ROWS,
    after: () =>
      summed(column('doubled', 'int', { nullable: true, generated: true, expression: 'area * 2', rename: 'twice' })),
  },
  {
    what: 'a computed column that only the tag calls generated',
    isNothing: true,
    before: () => summed(twice('area * 2')),
    then: ROWS,
    after: () => summed(column('twice', 'int', { nullable: true, generated: true })),
  },
];
