import path from 'node:path';
import { isRecord, toFields } from '#base/records/plainValues.ts';
import { DatasetError } from '../../datasets/datasetRow.ts';
import { detectDatasetFormat, readDatasetRows } from '../../datasets/datasetRows.ts';
import { ForeignPlace, type ForeignValue, getFileReference, type ImportReading, mostCases } from '../importReading.ts';
import { readRowTest } from './csvTests.ts';

/** Characters that a row counts as, besides those of its test. */
const rowCost = 100;

/** Fields of a test, with the place of each. */
export interface ImportedTest {
	readonly description: string | undefined;
	readonly variables: Readonly<Record<string, unknown>>;
	readonly assertions: readonly ForeignValue[];
	readonly place: ForeignPlace;
}

/** Reads the tests of a configuration on demand: a list, the names of files, or both. Lists what can't be read. */
export async function* readTests(tests: ForeignValue, reading: ImportReading): AsyncGenerator<ImportedTest, void> {
	for (const each of listEntries(tests)) {
		const reference = typeof each.value === 'string' ? (getFileReference(each.value) ?? each.value) : undefined;
		if (reference !== undefined) {
			yield* readTestFile(reference, each.place, reading);
		} else if (isRecord(each.value)) {
			yield await readTest(each, reading);
		} else {
			reading.reportType(each.place, 'tests', reading.t('a test or a file'));
		}
	}
}

/** Reads the fields of a test, also those of `defaultTest`. Lists the other ones. */
export async function readTest({ value, place }: ForeignValue, reading: ImportReading): Promise<ImportedTest> {
	const fields = toFields(value);
	reading.reportOtherFields(fields, ['description', 'vars', 'assert'], place);
	const { description } = fields;
	const vars = await readReference({ value: fields['vars'], place: place.at('vars') }, reading);
	const list = await readReference({ value: fields['assert'], place: place.at('assert') }, reading);
	for (const [{ value: given, place: at }, isValid] of [
		[vars, isRecord],
		[list, Array.isArray],
	] as const) {
		if (given !== undefined && given !== null && !isValid(given)) {
			reading.reportType(at, String(at.path.at(-1) ?? ''), reading.t('a list or an object'));
		}
	}
	return {
		description: typeof description === 'string' && description !== '' ? description : undefined,
		variables: toFields(vars.value),
		assertions: Array.isArray(list.value) ? listEntries(list) : [],
		place,
	};
}

/** Reads a YAML or JSON file if the value is a reference to one. */
async function readReference(given: ForeignValue, reading: ImportReading): Promise<ForeignValue> {
	const reference = getFileReference(given.value);
	return reference === undefined ? given : ((await reading.readYaml(reference, given.place)) ?? { ...given, value: undefined });
}

async function* readTestFile(reference: string, place: ForeignPlace, reading: ImportReading): AsyncGenerator<ImportedTest, void> {
	if (/^\w[\w+.-]+:\/\//.test(reference) || /[*?]/.test(reference)) {
		reading.reportUnknown(place, reference);
	} else if (/\.(?:csv|jsonl)$/i.test(reference)) {
		yield* readRows(reference, place, reading);
	} else {
		const read = await reading.readYaml(reference, place);
		// a file can't name others, which would nest without limit
		for (const each of read ? listEntries(read) : []) {
			if (isRecord(each.value)) {
				yield await readTest(each, reading);
			} else {
				reading.reportType(each.place, 'tests', reading.t('a test'));
			}
		}
	}
}

/** Reads a test from each row of a CSV or JSONL file. */
async function* readRows(reference: string, place: ForeignPlace, reading: ImportReading): AsyncGenerator<ImportedTest, void> {
	if (!reading.takeFile(reference, place)) {
		return;
	}
	const file = path.resolve(reading.folder, reference);
	const createRowPlace = (line: number) => new ForeignPlace({ file, getLine: () => line });
	try {
		for await (const row of readDatasetRows({ file, root: reading.folder, format: detectDatasetFormat(file)! }, reading.t)) {
			const at = createRowPlace(row.line);
			// a row takes time even if it isn't imported
			if (!reading.spend(rowCost)) {
				reading.report(
					at,
					reading.t('No more tests are imported. Maximum number of test cases: {0}. Their size is limited too.', mostCases),
				);
				return;
			}
			if ('problem' in row) {
				reading.report(at, row.problem);
			} else if (file.toLowerCase().endsWith('.jsonl')) {
				yield await readTest({ value: row.values, place: at }, reading);
			} else {
				const { description, vars, assert, other } = readRowTest(row.values);
				for (const column of other) {
					reading.reportUnknown(at.at(column), column);
				}
				const assertions = assert.map(value => ({ value, place: at.at('__expected') }));
				yield { description, variables: vars, assertions, place: at };
			}
		}
	} catch (error) {
		if (!(error instanceof DatasetError)) {
			throw error;
		}
		reading.report(error.line > 1 ? createRowPlace(error.line) : place, error.message);
	}
}

function listEntries({ value, place }: ForeignValue): readonly ForeignValue[] {
	return Array.isArray(value) ? value.map((each, at) => ({ value: each as unknown, place: place.at(at) })) : [{ value, place }];
}
