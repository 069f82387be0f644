import { stat } from 'node:fs/promises';
import path from 'node:path';
import { getNodeValue, type Node } from 'jsonc-parser';
import { OutsideScope, resolveInside } from '#base/files/fileScope.ts';
import { findProperty, getValueRange, type TextFault } from '#base/text/textFaults.ts';
import { readDatasetColumns } from '../datasets/datasetColumns.ts';
import { DatasetError } from '../datasets/datasetRow.ts';
import { detectDatasetFormat, isTextFormat } from '../datasets/datasetRows.ts';
import { listTemplateNames } from '../datasets/templates.ts';
import type { DatasetFormat, SuiteDataset } from '../suite.ts';
import { formatNames, readChecks } from './readChecks.ts';
import type { SuiteReading } from './readContext.ts';
import { createRequestNode } from './requestNodes.ts';
import type { SuiteText } from './suiteText.ts';

/** Maximum length of the template for names in UTF-16 units: lists fill it for each row, and it can name one column very often. */
const longestName = 1000;

/** A dataset without its rows, and a fingerprint of its content. */
interface DatasetHead {
	readonly dataset: SuiteDataset;
	readonly state: string;
}

/** Reads the dataset of a suite: file, columns and templates. */
export async function readDataset(
	node: Node,
	defaults: Node | undefined,
	text: SuiteText,
	nodes: ReadonlySet<string> | undefined,
	reading: SuiteReading,
): Promise<DatasetHead | undefined> {
	const { root, t } = reading.context;
	const fileNode = findProperty(node, 'file')!;
	const named = String(fileNode.value);
	const file = path.resolve(path.dirname(text.file), named);
	const reportDatasetFault = (at: Node, message: string, code: TextFault['code'] = 'dataset') => {
		reading.reportFaults(text, { code, severity: 'error', path: ['dataset'], ...getValueRange(at), message });
		return undefined;
	};
	const format = (findProperty(node, 'format')?.value as DatasetFormat | undefined) ?? detectDatasetFormat(named);
	if (!format) {
		return reportDatasetFault(
			fileNode,
			t("The format of '{0}' is unknown. Use a name that ends in .csv, .tsv, .jsonl or .json, or set 'format'.", named),
		);
	}
	let state: string;
	try {
		const found = await stat(resolveInside(named, { folder: path.dirname(text.file), root }));
		if (!found.isFile()) {
			return reportDatasetFault(fileNode, t("'{0}' isn't a file. Expected a CSV, TSV, JSONL or JSON file.", named));
		}
		state = `${found.size}/${found.mtimeMs}`;
	} catch (error) {
		if (error instanceof OutsideScope) {
			return reportDatasetFault(fileNode, t("'{0}' is outside the workspace folder.", named));
		}
		return reportDatasetFault(fileNode, t("Couldn't read '{0}': {1}", named, (error as Error).message));
	}
	const columns = await readDatasetColumns({ file, root, format }, t).catch((error: unknown) => {
		if (!(error instanceof DatasetError)) {
			throw error;
		}
		const place = { file, offset: 0, length: 1, line: error.line, column: 1 };
		reading.faults.push({ code: 'dataset', severity: 'error', path: [], ...place, message: error.message });
		return 'reported' as const;
	});
	if (columns === 'reported') {
		return undefined;
	}
	const { checks, faults } = readChecks(findProperty(node, 'expect'), text, nodes, reading.judges, t);
	reading.reportFaultList(text, faults);
	const mocks = findProperty(node, 'mocks');
	reading.checkMocks(mocks, text, nodes);
	if (columns) {
		const known = { names: columns, set: new Set(columns), isStrict: isTextFormat(format), dataset: path.basename(file) };
		for (const part of ['name', 'inputs', 'query', 'mocks', 'expect']) {
			checkColumns(findProperty(node, part), known, text, reading);
		}
	}
	const inputs = findProperty(node, 'inputs');
	return {
		state,
		dataset: {
			file,
			root,
			format,
			name: ((findProperty(node, 'name')?.value as string | undefined) ?? 'row {{row}}').slice(0, longestName),
			inputs: inputs && (getNodeValue(inputs) as Record<string, unknown>),
			query: findProperty(node, 'query')?.value as string | undefined,
			defaults: createRequestNode(node, defaults, undefined),
			mocks: mocks ? (getNodeValue(mocks) as Record<string, unknown>) : {},
			checks,
			place: text.getNodePosition(node),
		},
	};
}

/** Columns that templates can use. */
interface Columns {
	readonly names: readonly string[];
	readonly set: ReadonlySet<string>;
	/** True if all rows have the same columns. */
	readonly isStrict: boolean;
	readonly dataset: string;
}

/** Reports templates with unknown columns; only a warning for JSON, because rows can have different ones. */
function checkColumns(node: Node | undefined, columns: Columns, text: SuiteText, reading: SuiteReading): void {
	if (node?.type === 'string') {
		for (const name of listTemplateNames(node.value)) {
			if (name !== 'row' && !columns.set.has(name)) {
				const message = reading.context.t(
					"'{0}' has no column '{1}'. Expected one of {2}.",
					columns.dataset,
					name,
					formatNames(columns.set),
				);
				const severity = columns.isStrict ? 'error' : 'warning';
				const suggestions = reading.suggest(name, columns.names);
				reading.reportFaults(text, { code: 'unknown-column', severity, path: [], ...getValueRange(node), message, suggestions });
			}
		}
	}
	for (const child of node?.children ?? []) {
		checkColumns(child, columns, text, reading);
	}
}
