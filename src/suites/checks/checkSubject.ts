import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { CaseRun } from '../results/caseResult.ts';
import type { RunTrace, TracedNode } from '../running/runTrace.ts';
import type { CheckFields } from '../suite.ts';
import { getValueAtPath, parseValuePath } from './valuePath.ts';

/** A finished run, with the data that checks need. */
export interface CheckedRun {
	readonly run: CaseRun;
	readonly outputs: Readonly<Record<string, unknown>>;
	readonly trace: RunTrace;
	/** Values of the dataset row, by column. */
	readonly row: Readonly<Record<string, unknown>> | undefined;
	/** True if expected values come from a format that only has strings, so that "5" equals 5. */
	readonly fromText: boolean;
}

/** The value that a check looks at, with its name for messages; `undefined` if it doesn't exist. */
export interface CheckSubject {
	readonly name: string;
	/** Name in snapshot files. */
	readonly snapshotName: string;
	readonly value: unknown;
	/** Sentence that says why there is no value. */
	readonly missing?: LocalizableMessage;
}

/**
 * Reads the values that a check looks at: one, or the arguments of each call of its `tool`. The check passes if it does for one of them.
 */
export function readSubjects(fields: CheckFields, checked: CheckedRun): readonly [CheckSubject, ...CheckSubject[]] {
	const tool = fields['tool'] as string | undefined;
	if (tool === undefined) {
		return [readSubject(fields, checked)];
	}
	const { call, node, argument: path } = fields as { readonly call?: number; readonly node?: string; readonly argument?: string };
	const calls = checked.trace.toolCalls.filter(each => each.tool === tool && (node === undefined || each.node === node));
	const chosen = call === undefined ? calls : [calls.at(call > 0 ? call - 1 : call)].filter(each => each !== undefined);
	const names = nameSubject(fields);
	const [first, ...others] = chosen.map(({ arguments: given }) => readValue(given, path, names));
	return first
		? [first, ...others]
		: [{ ...names, value: undefined, missing: localizable`The tool '${tool}' has no such call. Number of calls: ${calls.length}.` }];
}

/** Reads the value that `output`, `node` and `inputs` of a check refer to. */
function readSubject(fields: CheckFields, { outputs, trace }: CheckedRun): CheckSubject {
	const id = fields['node'] as string | undefined;
	const part = 'inputs' in fields ? 'inputs' : 'output';
	const node = id === undefined ? undefined : trace.getNode(id);
	const holder = id === undefined ? outputs : part === 'inputs' ? node?.inputs : node?.outputs;
	const names = nameSubject(fields);
	if (id !== undefined && node === undefined) {
		return { ...names, value: undefined, missing: localizable`The node '${id}' didn't run.` };
	}
	return readValue(holder, fields[part] as string | undefined, names);
}

/** Returns the names of the value that a check looks at. */
export function nameSubject(fields: CheckFields): Pick<CheckSubject, 'name' | 'snapshotName'> {
	const { tool, argument, node } = fields as { readonly tool?: string; readonly argument?: string; readonly node?: string };
	if (tool !== undefined) {
		const isWhole = argument === undefined || argument === '$';
		return {
			name: `${tool}.arguments${isWhole ? '' : `.${argument}`}`,
			snapshotName: isWhole ? `the arguments of ${tool}` : `${tool}'s argument ${argument}`,
		};
	}
	const part = 'inputs' in fields ? 'inputs' : 'output';
	const path = fields[part] as string | undefined;
	return { name: getSubjectName(node, part, path), snapshotName: getSnapshotName(node, part, path) };
}

function readValue(holder: unknown, path: string | undefined, names: Pick<CheckSubject, 'name' | 'snapshotName'>): CheckSubject {
	const value = path === undefined ? holder : getValueAtPath(holder, parseValuePath(path) ?? [path]);
	if (value !== undefined) {
		return { ...names, value };
	}
	const available = Object.keys((holder ?? {}) as object);
	const missing =
		available.length > 0
			? localizable`It doesn't exist. Available: ${available.slice(0, 12).join(', ')}.`
			: localizable`It doesn't exist. There are no values to choose from.`;
	return { ...names, value, missing };
}

/** Returns a name for messages that reads the same in all languages. */
function getSubjectName(node: string | undefined, part: 'inputs' | 'output', path: string | undefined): string {
	const isWhole = path === undefined || path === '$';
	if (node === undefined) {
		return isWhole ? 'outputs' : path;
	}
	const holder = part === 'inputs' ? `${node}.inputs` : isWhole ? `${node}.outputs` : node;
	return isWhole ? holder : `${holder}.${path}`;
}

function getSnapshotName(node: string | undefined, part: 'inputs' | 'output', path: string | undefined): string {
	if (path === undefined || path === '$') {
		return node === undefined ? 'the outputs' : part === 'inputs' ? `the inputs of ${node}` : `the outputs of ${node}`;
	}
	return node === undefined ? path : part === 'inputs' ? `${node}'s input ${path}` : `${node}.${path}`;
}

/** Returns the node of a check; `undefined` if it names none, or the node didn't run. */
export function findTracedNode({ node }: CheckFields, { trace }: CheckedRun): TracedNode | undefined {
	return typeof node === 'string' ? trace.getNode(node) : undefined;
}
