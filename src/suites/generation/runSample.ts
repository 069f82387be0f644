import { EventLoopYield } from '#base/timing/eventLoopYield.ts';
import { createIndexSource } from '../statistics/randomIndex.ts';
import { DistinctTexts } from './nearDuplicates.ts';
import { PersonalDataMasker } from './personalData.ts';

/** A run to make a row from. */
export interface SampledRun {
	readonly id: string;
	readonly status: string;
	/** IDs of the nodes that ran, in order; `undefined` if the service doesn't tell. */
	readonly path: readonly string[] | undefined;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly outputs: Readonly<Record<string, unknown>>;
}

/** A row of a dataset. Columns that start with `$` aren't inputs. */
export type GeneratedRow = Readonly<Record<string, unknown>>;

/** Rows made from runs, and what was left out. */
interface RunSample {
	readonly rows: readonly GeneratedRow[];
	/** Numbers of runs with nearly the same inputs as another, and of those with files. */
	readonly duplicates: number;
	readonly withFiles: number;
	/** Number of different values that were masked. */
	readonly masked: number;
	/** Number of combinations of status and path. */
	readonly strata: number;
}

interface SampleOptions {
	readonly count: number;
	readonly seed: string;
	/** True to add the outputs of successful runs as expected values. */
	readonly expect: boolean;
}

const succeeded = ['succeeded', 'partial-succeeded'];

/**
 * Chooses runs so that each status and path occurs, failures and rare paths first, and makes rows of their inputs: without near-duplicates,
 * with personal data masked. The same runs and seed give the same rows. Gives other work a turn in between.
 */
export async function sampleRuns(runs: readonly SampledRun[], { count, seed, expect }: SampleOptions): Promise<RunSample> {
	const usable = runs.filter(({ inputs }) => !hasFile(inputs));
	const strata = Map.groupBy(shuffle(usable, seed), ({ status, path }) => JSON.stringify([status, path]));
	const ordered = [...strata.values()].sort(
		([one, ...ones], [other, ...others]) =>
			Number(succeeded.includes(one!.status)) - Number(succeeded.includes(other!.status)) ||
			ones.length - others.length ||
			(one!.id < other!.id ? -1 : 1),
	);
	const masker = new PersonalDataMasker();
	const distinct = new DistinctTexts();
	const rows: GeneratedRow[] = [];
	const yielder = new EventLoopYield();
	let duplicates = 0;
	for (let round = 0; rows.length < count && ordered.some(({ length }) => length > round); round++) {
		for (const run of ordered.flatMap(stratum => stratum[round] ?? [])) {
			if (rows.length === count) {
				break;
			}
			if (yielder.isDue) {
				await yielder.yieldTurn();
			}
			const row = createRunRow(run, value => masker.maskValue(value), expect);
			const { $name: _, $status: __, ...cells } = row;
			const isNew = distinct.add(JSON.stringify(Object.entries(cells).filter(([name]) => !name.startsWith('expect:'))));
			duplicates += Number(!isNew);
			rows.push(...(isNew ? [row] : []));
		}
	}
	return { rows, duplicates, withFiles: runs.length - usable.length, masked: masker.count, strata: strata.size };
}

/**
 * Makes the row of a run.
 *
 * @param mask masks personal data in a value
 * @param expect true to add the outputs of a successful run as expected values
 */
export function createRunRow(
	{ id, status, inputs, outputs }: Omit<SampledRun, 'path'>,
	mask: (value: unknown) => unknown,
	expect: boolean,
): GeneratedRow {
	const own = Object.entries(inputs).filter(([name]) => !name.startsWith('sys.'));
	const query = inputs['sys.query'];
	const expected = expect && succeeded.includes(status) ? Object.entries(outputs) : [];
	return {
		$name: `run ${id}`,
		$status: status,
		...(typeof query === 'string' && query !== '' && { query: mask(query) }),
		...Object.fromEntries(own.map(([name, value]) => [name, mask(value)])),
		...Object.fromEntries(expected.map(([name, value]) => [`expect:${name}`, mask(value)])),
	};
}

function shuffle<T>(items: readonly T[], seed: string): T[] {
	const draw = createIndexSource(seed);
	const left = [...items];
	return items.map(() => left.splice(draw(left.length), 1)[0]!);
}

/** True if a value contains uploaded files, which may be gone when the row of the run runs. */
export function hasFile(value: unknown): boolean {
	return typeof value === 'object' && value !== null && ('transfer_method' in value || Object.values(value).some(hasFile));
}
