import { getNodeValue } from 'jsonc-parser';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { formatRowName, getTemplateValues } from '../../datasets/datasetCases.ts';
import { readDatasetRows } from '../../datasets/datasetRows.ts';
import { fillTemplate, MissingColumn, TooLongTemplate } from '../../datasets/templates.ts';
import type { Suite, SuiteCase, SuiteCheck, SuiteDataset, SuitePlace } from '../../suite.ts';

/** A test case for another tool. */
export interface ExportedCase {
	readonly name: string;
	readonly place: SuitePlace;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly query: string | undefined;
	readonly checks: readonly SuiteCheck[];
}

/** Something that the exported file doesn't have. */
export interface NotExported {
	readonly place: SuitePlace;
	readonly message: string;
}

const expected = 'expect:';
/** Parts of a case that other tools don't have. */
const ownParts = ['turns', 'simulation', 'forms', 'mocks'] as const;

/** Reads the cases and rows of a suite. Rejects with a `DatasetError` if the dataset can't be read. */
export async function readExportedCases(
	suite: Suite,
): Promise<{ readonly cases: readonly ExportedCase[]; readonly notExported: readonly NotExported[] }> {
	const cases: ExportedCase[] = [];
	const notExported: NotExported[] = [];
	for (const each of suite.cases.filter(({ attack }) => !attack)) {
		const part = ownParts.find(name => hasPart(each, name));
		if (part === undefined || part === 'mocks') {
			const { inputs = {}, query } = getNodeValue(each.request) as Partial<ExportedCase>;
			cases.push({ name: each.name, place: each.place, inputs, query, checks: each.checks });
		}
		if (part !== undefined) {
			const name = part === 'simulation' ? 'simulate' : part;
			const message =
				part === 'mocks' ? `The mocks of '${each.name}' aren't exported.` : `'${each.name}' isn't exported, because it has '${name}'.`;
			notExported.push({ place: each.place, message });
		}
	}
	const { dataset } = suite;
	for await (const row of dataset ? readDatasetRows(dataset, fillPlaceholders) : []) {
		const place = { file: dataset!.file, offset: 0, length: 0, line: row.line, column: 1 };
		try {
			if ('problem' in row) {
				throw new Error(row.problem);
			}
			cases.push(createRowCase(dataset!, row, place));
		} catch (error) {
			if (!('problem' in row || error instanceof MissingColumn || error instanceof TooLongTemplate)) {
				throw error;
			}
			notExported.push({ place, message: `Row ${row.row} isn't exported: ${(error as Error).message}` });
		}
	}
	return { cases, notExported };
}

function hasPart(each: SuiteCase, name: (typeof ownParts)[number]): boolean {
	return name === 'mocks' ? Object.keys(each.mocks).length > 0 : each[name] !== undefined;
}

function createRowCase(dataset: SuiteDataset, row: Parameters<typeof getTemplateValues>[0], place: SuitePlace): ExportedCase {
	const values = getTemplateValues(row);
	const columns = Object.entries(row.values);
	const inputs = dataset.inputs
		? (fillTemplate(dataset.inputs, values) as ExportedCase['inputs'])
		: Object.fromEntries(columns.filter(([name]) => !name.startsWith(expected) && !name.startsWith('$')));
	const own = columns
		.filter(([name]) => name.startsWith(expected))
		.map(([name, value]): SuiteCheck => ({ kind: 'equals', fields: { output: name.slice(expected.length), equals: value }, place }));
	const defaults = getNodeValue(dataset.defaults) as Partial<ExportedCase>;
	return {
		name: formatRowName(dataset, row) ?? `row ${row.row}`,
		place,
		inputs: { ...defaults.inputs, ...inputs },
		query: dataset.query === undefined ? defaults.query : String(fillTemplate(dataset.query, values)),
		checks: [...own, ...dataset.checks.map(check => ({ ...check, fields: fillTemplate(check.fields, values) as SuiteCheck['fields'] }))],
	};
}
