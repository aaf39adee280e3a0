import { useState } from 'preact/hooks';
import { counted } from '../../platform/core/text/numbers.ts';
import { setParameters } from '../../platform/page/router/address.ts';
import type { StoredTests } from '../app/read-stored-tests.ts';
import type { SettingColumn } from '../core/explorer/entry-table.ts';
import { filterParameter, moveItem, NO_AXIS, valueLabel } from '../core/explorer/explorer-view.ts';
import { axisRoles, type ExplorerView, rowsOf } from '../core/explorer/suggest-view.ts';

/** Every setting that varies: the values that are shown, and its role, in order. */
export function SettingList({ tests, view }: { readonly tests: StoredTests; readonly view: ExplorerView }) {
  const { axes, averaged, chart, chosen, kpi } = view;
  const rows = [...rowsOf(kpi, tests)];
  const counts = new Map(tests.settings.map((setting) => [setting, countsOf(setting, rows)]));
  const varies = (setting: SettingColumn) =>
    (counts.get(setting)?.size ?? 0) > 1 || axes.includes(setting) || chosen.has(setting);
  const others = tests.settings.filter((setting) => varies(setting) && !axes.includes(setting));
  const same = tests.settings.filter((setting) => !varies(setting) && hasValue(setting, counts.get(setting)));
  const roles = axisRoles(chart);
  const roleOf = (index: number, setting: SettingColumn) => {
    if (index < axes.length) return roles[index];
    return averaged.includes(setting) ? 'averaged over' : 'one value';
  };
  const setAxes = (next: readonly SettingColumn[]) =>
    setParameters({
      'settings-order': undefined,
      axis: next.length === 0 ? NO_AXIS : next.map(({ name }) => name),
    });
  return (
    <section aria-labelledby="settings-title">
      <h2 id="settings-title">Settings</h2>
      <ol class="setting-list">
        {[...axes, ...others].map((setting, index) => (
          <li key={setting.name}>
            <span class="moves">
              <MoveButtons {...{ axes, setting, roles, setAxes }} />
            </span>
            <span class="name">{setting.name}</span>
            <span class="role quiet">{roleOf(index, setting)}</span>
            <ValueChoice
              setting={setting}
              counts={counts.get(setting) ?? new Map()}
              chosen={chosen.get(setting)}
              onChoose={(indexes) =>
                setParameters({
                  [setting.name]: undefined,
                  [filterParameter(setting.name)]: indexes.map((one) => valueLabel(setting, one)),
                })
              }
            />
          </li>
        ))}
      </ol>
      {same.length > 0 && (
        <p class="quiet same">
          The same in all tests:{' '}
          {same
            .map((setting) => {
              const [index = 0] = counts.get(setting)?.keys() ?? [];
              return `${setting.name}=${valueLabel(setting, index)}`;
            })
            .join(', ')}
          .
        </p>
      )}
    </section>
  );
}

interface MoveProps {
  readonly axes: readonly SettingColumn[];
  readonly setting: SettingColumn;
  readonly roles: readonly string[];
  readonly setAxes: (axes: readonly SettingColumn[]) => void;
}

function MoveButtons({ axes, setting, roles, setAxes }: MoveProps) {
  const at = axes.indexOf(setting);
  const { name } = setting;
  if (at < 0) {
    return (
      <button
        type="button"
        class="small"
        aria-label={`Use ${name} as an axis`}
        title="Use it as an axis"
        onClick={() => setAxes([...axes.slice(0, roles.length - 1), setting])}
      >
        use
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        class="small"
        disabled={at === 0}
        aria-label={`Move ${name} up`}
        title="Earlier"
        onClick={() => setAxes(moveItem(axes, at, at - 1))}
      >
        ↑
      </button>
      <button
        type="button"
        class="small"
        disabled={at === axes.length - 1}
        aria-label={`Move ${name} down`}
        title="Later"
        onClick={() => setAxes(moveItem(axes, at, at + 1))}
      >
        ↓
      </button>
      <button
        type="button"
        class="small"
        aria-label={`Average over ${name}`}
        title="Average over it"
        onClick={() => setAxes(axes.filter((one) => one !== setting))}
      >
        ×
      </button>
    </>
  );
}

/** The number of tests of each value. */
function countsOf({ codes }: SettingColumn, rows: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(codes[row] ?? 0, (counts.get(codes[row] ?? 0) ?? 0) + 1);
  return new Map([...counts].sort(([a], [b]) => a - b));
}

function hasValue({ values }: SettingColumn, counts: ReadonlyMap<number, number> | undefined): boolean {
  return [...(counts?.keys() ?? [])].some((index) => values[index] !== null);
}

interface ValueChoiceProps {
  readonly setting: SettingColumn;
  /** Number of tests by index of the value. */
  readonly counts: ReadonlyMap<number, number>;
  /** Undefined: all. */
  readonly chosen: ReadonlySet<number> | undefined;
  /** An empty list is all. */
  readonly onChoose: (indexes: readonly number[]) => void;
}

/** Up to this many values are buttons side by side; more are a list with a search. */
const FEW = 10;
const MAX_SHOWN = 200;

function ValueChoice(props: ValueChoiceProps) {
  const { setting, counts, chosen } = props;
  if (counts.size <= FEW) return <Values {...props} indexes={[...counts.keys()]} />;
  return (
    <details class="value-choice">
      <summary>
        {chosen === undefined
          ? `all ${counted(counts.size, 'value')}`
          : chosen.size === 1
            ? valueLabel(setting, [...chosen][0] ?? 0)
            : `${chosen.size} of ${counted(counts.size, 'value')}`}
      </summary>
      <ManyValues {...props} />
    </details>
  );
}

function ManyValues(props: ValueChoiceProps) {
  const { setting, counts, chosen } = props;
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const found = [...counts.keys()].filter(
    (index) => chosen?.has(index) || valueLabel(setting, index).toLowerCase().includes(wanted),
  );
  return (
    <>
      <p>
        <label>
          search{' '}
          <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>{' '}
        {found.length > MAX_SHOWN && (
          <span class="quiet">{counted(found.length - MAX_SHOWN, 'more value')}</span>
        )}
      </p>
      <Values {...props} indexes={found.slice(0, MAX_SHOWN)} />
    </>
  );
}

function Values({
  setting,
  counts,
  chosen,
  onChoose,
  indexes,
}: ValueChoiceProps & { readonly indexes: readonly number[] }) {
  const toggle = (index: number) => {
    const next = new Set(chosen ?? []);
    if (!next.delete(index)) next.add(index);
    onChoose(next.size === counts.size ? [] : [...next].sort((a, b) => a - b));
  };
  return (
    <fieldset class="chips">
      <legend class="hidden-text">Values of {setting.name}</legend>
      <button type="button" class="chip" aria-pressed={chosen === undefined} onClick={() => onChoose([])}>
        all
      </button>
      {indexes.map((index) => (
        <button
          key={index}
          type="button"
          class="chip"
          aria-pressed={chosen?.has(index) ?? false}
          title={counted(counts.get(index) ?? 0, 'test')}
          onClick={() => toggle(index)}
        >
          {valueLabel(setting, index)}
        </button>
      ))}
    </fieldset>
  );
}
