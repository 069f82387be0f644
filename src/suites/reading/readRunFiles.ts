import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { getNodeValue, type Node } from 'jsonc-parser';
import runSchema from '../../../media/run.schema.json' with { type: 'json' };
import type { Mocks } from '../../protocol/mocks.ts';
import { checkAgent } from '../../runRequests/agentCheck.ts';
import { parseRunFile } from '../../runRequests/runFileParse.ts';
import { checkSchema, type JsonSchema } from '../../textChecks/schemaCheck.ts';
import { placeOf, propertiesOf, propertyOf } from '../../textChecks/textFaults.ts';
import type { SuiteCase } from '../suite.ts';
import { readChecks } from './readChecks.ts';
import type { SuiteReading } from './readContext.ts';
import { objectNode } from './requestNodes.ts';
import { SuiteText } from './suiteText.ts';

/** A case without its number. */
export type UnnumberedCase = Omit<SuiteCase, 'ordinal'>;

/** A run file that was read: the case of it, and its text. */
export interface RunFileCase {
	readonly text: string;
	readonly case: UnnumberedCase;
}

/** Run files that a path or pattern names, in the order of their paths; none is a fault. Paths that lead out of the root are left out. */
export async function runFilesOf(pattern: Node, suite: SuiteText, reading: SuiteReading): Promise<readonly string[]> {
	const { root, t } = reading.context;
	const files: string[] = [];
	for await (const found of glob(String(pattern.value).replaceAll('\\', '/'), { cwd: path.dirname(suite.file) })) {
		files.push(path.resolve(path.dirname(suite.file), found));
	}
	const inside = files.filter(file => !path.relative(root, file).startsWith('..')).sort();
	if (inside.length === 0) {
		const message =
			files.length > 0
				? t('“{0}” leads out of the workspace folder: expected run files inside it', String(pattern.value))
				: t('“{0}” names no file: expected a path or pattern of run files, from the folder of the suite', String(pattern.value));
		reading.add(suite, { code: 'local-file', severity: 'error', path: [], ...placeOf(pattern), message });
	}
	return inside;
}

/** Reads a run file as a case; its faults are at their places in it. What it expects stands in its own `expect`, and in `checks` of the suite. */
export async function readRunFileCase(
	file: string,
	at: Node,
	suite: SuiteText,
	reading: SuiteReading,
	checkSchemas: { readonly expect: JsonSchema; readonly mocks: JsonSchema; readonly root: JsonSchema },
): Promise<RunFileCase | undefined> {
	const { agents, connection, t } = reading.context;
	let content: string;
	try {
		content = await readFile(file, 'utf8');
	} catch (error) {
		const message = t('“{0}” cannot be read: {1}', file, (error as Error).message);
		reading.add(suite, { code: 'local-file', severity: 'error', path: [], ...placeOf(at), message });
		return undefined;
	}
	const text = new SuiteText(file, content);
	const parsed = parseRunFile(content, runSchema as JsonSchema, t);
	const { root, agent } = parsed;
	const expect = propertyOf(root, 'expect');
	const mocks = propertyOf(root, 'mocks');
	const own = [
		...parsed.faults,
		...(agents && root ? checkAgent(parsed, agents, connection, t) : []),
		...(expect ? checkSchema(expect, checkSchemas.expect, checkSchemas.root, t, ['expect']) : []),
		...(mocks ? checkSchema(mocks, checkSchemas.mocks, checkSchemas.root, t, ['mocks']) : []),
	];
	reading.add(text, ...own);
	if (!root || agent === undefined || own.some(({ severity }) => severity === 'error')) {
		return undefined;
	}
	const nodes = await reading.nodes(agent);
	const { checks, faults } = readChecks(expect, text, nodes, t);
	reading.add(text, ...faults);
	reading.checkMocks(mocks, text, nodes);
	const sent = propertiesOf(root).flatMap(({ name, value }) =>
		value && !['$schema', 'model', 'user', 'response_mode', 'expect', 'mocks'].includes(name) ? [[name, value] as const] : [],
	);
	return {
		text: content,
		case: {
			name: path.basename(file).replace(/(\.run)?\.json$/, ''),
			place: text.place(root),
			runFile: file,
			target: { kind: 'agent', model: agent },
			user: propertyOf(root, 'user')?.value as string | undefined,
			request: objectNode(root, sent),
			mocks: mocks ? (getNodeValue(mocks) as Mocks) : {},
			checks,
		},
	};
}
