import path from 'node:path';
import { getNodeValue, type Node } from 'jsonc-parser';
import { OutsideScope } from '#base/files/fileScope.ts';
import { findFilesInScope } from '#base/files/findInside.ts';
import { PatternError } from '#base/files/globPattern.ts';
import { checkSchema, type JsonSchema } from '#base/text/schemaCheck.ts';
import { findProperty, getValueRange, listProperties } from '#base/text/textFaults.ts';
import type { Mocks } from '#contract/mocks.ts';
import { checkAgent } from '#runs/request/agentCheck.ts';
import { readLocalText } from '#runs/request/localFiles.ts';
import { parseRunFile } from '#runs/request/runFileParse.ts';
import runSchema from '../../../media/run.schema.json' with { type: 'json' };
import type { SuiteCase } from '../suite.ts';
import { readChecks } from './readChecks.ts';
import type { SuiteReading } from './readContext.ts';
import { createObjectNode } from './requestNodes.ts';
import { SuiteText } from './suiteText.ts';

/** A case without its ordinal. */
export type UnnumberedCase = Omit<SuiteCase, 'ordinal'>;

/** A case from a run file, with the file's text. */
interface RunFileCase {
	readonly text: string;
	readonly case: UnnumberedCase;
}

/** Finds the run files of a path or pattern, sorted. Reports a problem if there are none or they're outside the root. */
export async function findSuiteRunFiles(pattern: Node, suite: SuiteText, reading: SuiteReading): Promise<readonly string[]> {
	const { root, t } = reading.context;
	const named = String(pattern.value);
	const reportFileFault = (message: string) => {
		reading.reportFaults(suite, { code: 'local-file', severity: 'error', path: [], ...getValueRange(pattern), message });
		return [];
	};
	try {
		const files = await findFilesInScope(named, { folder: path.dirname(suite.file), root });
		return files.length > 0
			? files
			: reportFileFault(t("'{0}' matches no run files. Use a path or pattern relative to the folder of the suite.", named));
	} catch (error) {
		if (error instanceof OutsideScope) {
			return reportFileFault(t("'{0}' is outside the workspace folder.", named));
		}
		if (error instanceof PatternError) {
			return reportFileFault(t("Couldn't search for '{0}': {1}", named, error.message));
		}
		throw error;
	}
}

/** Reads a run file as a case. Reports problems at their positions in the run file. */
export async function readRunFileCase(
	file: string,
	at: Node,
	suite: SuiteText,
	reading: SuiteReading,
	checkSchemas: { readonly expect: JsonSchema; readonly mocks: JsonSchema; readonly root: JsonSchema },
): Promise<RunFileCase | undefined> {
	const { agents, connection, root: workspace, t } = reading.context;
	let content: string;
	try {
		content = await readLocalText(file, { folder: path.dirname(file), root: workspace }, t);
	} catch (error) {
		const { message } = error as Error;
		reading.reportFaults(suite, { code: 'local-file', severity: 'error', path: [], ...getValueRange(at), message });
		return undefined;
	}
	const text = new SuiteText(file, content);
	const parsed = parseRunFile(content, runSchema as JsonSchema, t);
	const { root, agent } = parsed;
	const expect = findProperty(root, 'expect');
	const mocks = findProperty(root, 'mocks');
	const own = [
		...parsed.faults,
		...(agents && root ? checkAgent(parsed, agents, connection, t) : []),
		...(expect ? checkSchema(expect, checkSchemas.expect, checkSchemas.root, t, ['expect']) : []),
		...(mocks ? checkSchema(mocks, checkSchemas.mocks, checkSchemas.root, t, ['mocks']) : []),
	];
	reading.reportFaultList(text, own);
	if (!root || agent === undefined || own.some(({ severity }) => severity === 'error')) {
		return undefined;
	}
	const nodes = await reading.readNodeIds(agent);
	const { checks, faults } = readChecks(expect, text, nodes, reading.judges, t);
	reading.reportFaultList(text, faults);
	reading.checkMocks(mocks, text, nodes);
	const sent = listProperties(root).flatMap(({ name, value }) =>
		value && !['$schema', 'model', 'user', 'response_mode', 'expect', 'mocks', 'recordings'].includes(name) ? [[name, value] as const] : [],
	);
	return {
		text: content,
		case: {
			name: path.basename(file).replace(/(\.run)?\.json$/, ''),
			place: text.getNodePosition(root),
			runFile: file,
			target: { kind: 'agent', model: agent },
			user: findProperty(root, 'user')?.value as string | undefined,
			request: createObjectNode(root, sent),
			mocks: mocks ? (getNodeValue(mocks) as Mocks) : {},
			checks,
		},
	};
}
