import { readZipEntries } from '#base/files/zipEntries.ts';
import { getField, isRecord } from '#base/records/plainValues.ts';
import { parseJsonValue } from '../../checks/valuePath.ts';
import { ForeignPlace, type ForeignValue, ImportFault, type ImportReading, mostFileBytes } from '../importReading.ts';

/** A row of a dataset of another tool. */
export interface ForeignRow {
	readonly id: string | undefined;
	readonly input: unknown;
	/** Expected output; `undefined` if the row has none. */
	readonly expected: unknown;
	readonly place: ForeignPlace;
}

/** Fields of a row in the formats of one kind. `others`: fields that say where a row comes from, and aren't needed. */
interface RowForm {
	readonly input: string;
	readonly expected: readonly string[];
	readonly others: readonly string[];
}

/** Maximum size in bytes of all samples of an archive. */
const mostArchiveBytes = 100 * 1024 * 1024;

const origin = ['id', 'created_at', 'modified_at', 'createdAt', 'updatedAt', 'dataset_id', 'datasetId', 'datasetName', 'source_run_id'];
/** LangSmith, OpenAI's Evals API, Langfuse, samples of Inspect and openai/evals have different names for the same parts. */
const forms: readonly RowForm[] = [
	{ input: 'inputs', expected: ['outputs'], others: [...origin, 'name'] },
	{ input: 'item', expected: [], others: origin },
	{
		input: 'input',
		expected: ['expectedOutput', 'expected_output', 'ideal', 'target'],
		others: [...origin, 'sourceTraceId', 'sourceObservationId', 'status', 'uuid', 'epoch'],
	},
];

/** Returns the list of rows in a file; `undefined` if it has none, for example because it's a configuration. */
export function findRows({ value, place }: ForeignValue): ForeignValue | undefined {
	const name = ['data', 'examples', 'items', 'samples'].find(each => Array.isArray(getField(value, each)));
	const list = Array.isArray(value)
		? { value, place }
		: name === undefined
			? undefined
			: { value: getField(value, name), place: place.at(name) };
	return list && (list.value as unknown[]).some(row => findForm(row) !== undefined) ? list : undefined;
}

/** Reads the rows of a list. Lists those that aren't rows, and each field that isn't mapped once. */
export function* readRows({ value, place }: ForeignValue, reading: ImportReading): Generator<ForeignRow, void> {
	const reported = new Set<string>();
	for (const [at, row] of (value as readonly unknown[]).entries()) {
		yield* readRow({ value: row, place: place.at(at) }, reported, reading);
	}
}

/**
 * Reads the samples of a log of Inspect (`.eval`), which is a ZIP archive. Lists those that are too large. Throws an {@link ImportFault} if
 * it isn't such an archive.
 */
export function* readArchivedSamples(file: string, archive: Uint8Array, reading: ImportReading): Generator<ForeignRow, void> {
	const reported = new Set<string>();
	let left = mostArchiveBytes;
	try {
		for (const { name, unpack } of readZipEntries(archive)) {
			const place = new ForeignPlace({ file, getLine: () => 1 }, [name]);
			const bytes = /^samples\/[^/]*\.json$/.test(name) ? unpack(Math.min(left, mostFileBytes)) : Buffer.alloc(0);
			left -= bytes?.length ?? 0;
			if (!bytes) {
				reading.report(place, reading.t("'{0}' is too large.", name));
			} else if (bytes.length > 0) {
				yield* readRow({ value: parseJsonValue(new TextDecoder().decode(bytes)), place }, reported, reading);
			}
		}
	} catch (error) {
		// thrown for archives that are damaged
		if (
			error instanceof RangeError ||
			(error as NodeJS.ErrnoException).code?.startsWith('Z_') ||
			(error as NodeJS.ErrnoException).code?.startsWith('ERR_')
		) {
			throw new ImportFault(reading.t("The file isn't a valid ZIP archive."));
		}
		throw error;
	}
}

/** Reads a row from each line. Lists lines that aren't rows, and each field that isn't mapped once. */
export function* readLineRows(file: string, text: string, reading: ImportReading): Generator<ForeignRow, void> {
	const reported = new Set<string>();
	for (const [at, line] of text.split('\n').entries()) {
		if (line.trim() !== '') {
			const place = new ForeignPlace({ file, getLine: () => at + 1 });
			yield* readRow({ value: parseJsonValue(line), place }, reported, reading);
		}
	}
}

function* readRow({ value, place }: ForeignValue, reported: Set<string>, reading: ImportReading): Generator<ForeignRow, void> {
	const form = findForm(value);
	if (!form || !isRecord(value) || isArchived(value)) {
		reading.report(place, reading.t("The row isn't imported. Expected an active row with 'input' or 'inputs'."));
		return;
	}
	const expected = form.expected.find(name => value[name] !== undefined && value[name] !== null);
	for (const name of Object.keys(value)) {
		const isMapped = name === form.input || name === expected || form.others.includes(name) || value[name] === null;
		if (!isMapped && !reported.has(name)) {
			reported.add(name);
			reading.reportUnknown(place.at(name), name);
		}
	}
	const id = value['name'] ?? value['id'];
	yield {
		id: typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
		input: value[form.input],
		expected: expected === undefined ? undefined : value[expected],
		place,
	};
}

function findForm(row: unknown): RowForm | undefined {
	return forms.find(({ input }) => getField(row, input) !== undefined && getField(row, input) !== null);
}

/** True for items that Langfuse no longer uses, and for repeated samples of Inspect. */
function isArchived(row: Readonly<Record<string, unknown>>): boolean {
	const { status, epoch } = row;
	return status === 'ARCHIVED' || (typeof epoch === 'number' && epoch > 1);
}
