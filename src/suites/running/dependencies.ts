import fs from 'node:fs/promises';
import path from 'node:path';
import { getNodeValue } from 'jsonc-parser';
import { hashContent, hashEnvironment, hashFile } from '#base/files/contentHash.ts';
import { type FileScope, resolveInside } from '#base/files/fileScope.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findEnvironmentNames, type PlaceholderSource, Placeholders } from '#runs/request/placeholders.ts';
import { getTemplateValues } from '../datasets/datasetCases.ts';
import { DatasetError } from '../datasets/datasetRow.ts';
import { readDatasetRows } from '../datasets/datasetRows.ts';
import { fillTemplate, MissingColumn, TooLongTemplate } from '../datasets/templates.ts';
import { getLabelName } from '../judges/judgeLabels.ts';
import { getSnapshotFile } from '../results/snapshots.ts';
import type { Suite, SuiteDataset } from '../suite.ts';

/** Hashes of the files and variables that a suite's results depend on, other than those in its fingerprint. */
interface SuiteDependencies {
	/** Content of files that inputs reference by `$file`. */
	readonly files: string;
	readonly snapshots: string;
	/** Content of the dataset. The fingerprint, computed at each edit of the suite, only includes its size and time. */
	readonly dataset: string;
	/** Values of the environment variables used by placeholders. */
	readonly environment: string;
	/** Content of the labels, if judges see examples of them. */
	readonly labels?: string;
}

/** Reads the dependencies of a suite's results. A file that can't be read counts as unreadable; the cases that need it report the error. */
export async function readDependencies(suite: Suite, placeholders: PlaceholderSource): Promise<SuiteDependencies> {
	const filler = new Placeholders(placeholders, fillPlaceholders);
	const files = new Map<string, string | null>();
	const environment = new Map<string, string | undefined>();
	const addDependencies = async (value: unknown, folder: string) => {
		for (const name of findEnvironmentNames(JSON.stringify(value) ?? '')) {
			environment.set(name, placeholders.environment?.(name));
		}
		for (const reference of listFileReferences(value)) {
			const key = path.resolve(folder, reference);
			if (!files.has(key)) {
				files.set(key, await hashFileInScope(filler.fillText(reference), { folder, root: suite.root }));
			}
		}
	};
	for (const { request, turns, runFile } of suite.cases) {
		for (const each of turns?.map(turn => turn.request) ?? [request]) {
			await addDependencies(getNodeValue(each), path.dirname(runFile ?? suite.file));
		}
	}
	const folder = path.dirname(suite.file);
	if (suite.dataset) {
		await addDependencies(getNodeValue(suite.dataset.defaults), folder);
		for await (const value of readRowInputs(suite.dataset)) {
			await addDependencies(value, folder);
		}
	}
	const hasExamples = Object.values(suite.judges ?? {}).some(({ examples = 0 }) => examples > 0);
	return {
		files: hashContent([...files].sort()),
		snapshots: (await hashFileInScope(getSnapshotFile(suite.file), { folder, root: folder })) ?? '',
		dataset: (suite.dataset && (await hashFileInScope(suite.dataset.file, { folder, root: suite.root }))) ?? '',
		environment: hashEnvironment(environment),
		...(hasExamples && { labels: (await hashFileInScope(getLabelName(suite.file), { folder, root: suite.root })) ?? '' }),
	};
}

/** Returns values that identify the current state of agents: the text of their files, or their version on the service. */
export async function readAgentTexts(agents: readonly AgentSummary[]): Promise<readonly unknown[]> {
	return Promise.all(
		agents.map(async ({ name, file, workflow_id }) => [
			name,
			(file && (await fs.readFile(file, 'utf8').catch(() => undefined))) || workflow_id,
		]),
	);
}

/** Returns the hash of the current state of each agent that a suite runs, by name. */
export async function hashSuiteAgents(
	{ target, cases }: Suite,
	agents: readonly AgentSummary[] = [],
): Promise<ReadonlyMap<string, string>> {
	const models = new Set([target, ...cases.map(each => each.target)].map(each => (each?.kind === 'agent' ? each.model : undefined)));
	const run = agents.filter(({ name }) => models.has(name));
	return new Map((await readAgentTexts(run)).map((text, at) => [run[at]!.name, hashContent(text)]));
}

async function hashFileInScope(reference: string | Promise<string>, scope: FileScope): Promise<string | null> {
	try {
		return await hashFile(resolveInside(await reference, scope));
	} catch {
		return null;
	}
}

/** Reads the inputs of rows if they can reference files. Rows of CSV and TSV files can do so only through templates. */
async function* readRowInputs(dataset: SuiteDataset): AsyncGenerator<unknown, void> {
	const { format, inputs } = dataset;
	if (inputs ? !JSON.stringify(inputs).includes('$file') : format === 'csv' || format === 'tsv') {
		return;
	}
	try {
		for await (const row of readDatasetRows(dataset, fillPlaceholders)) {
			if ('values' in row) {
				yield inputs ? fillInputs(inputs, getTemplateValues(row)) : row.values;
			}
		}
	} catch (error) {
		// the error is reported when the suite runs
		if (!(error instanceof DatasetError)) {
			throw error;
		}
	}
}

function fillInputs(inputs: Readonly<Record<string, unknown>>, values: Readonly<Record<string, unknown>>): unknown {
	try {
		return fillTemplate(inputs, values);
	} catch (error) {
		if (error instanceof MissingColumn || error instanceof TooLongTemplate) {
			return undefined;
		}
		throw error;
	}
}

function listFileReferences(value: unknown): string[] {
	if (Array.isArray(value)) {
		return value.flatMap(listFileReferences);
	}
	if (typeof value !== 'object' || value === null) {
		return [];
	}
	return Object.entries(value).flatMap(([name, part]) =>
		name === '$file' && typeof part === 'string' ? [part] : listFileReferences(part),
	);
}
