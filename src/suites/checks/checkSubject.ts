import type { CaseRun } from '../results/caseResult.ts';
import type { RunTrace, TracedNode } from '../running/runTrace.ts';
import type { CheckFields } from '../suite.ts';
import { getValueAtPath, parsePath } from './valuePath.ts';

/** A finished run. */
export interface CheckedRun {
	readonly run: CaseRun;
	readonly outputs: Readonly<Record<string, unknown>>;
	readonly trace: RunTrace;
	/** Columns of the dataset row. */
	readonly row: Readonly<Record<string, unknown>> | undefined;
	/** True if expected values come from a format that only has strings, so that "5" equals 5. */
	readonly fromText: boolean;
}

/** The value that a check looks at, with its name for messages; `undefined` if it doesn't exist. */
export interface CheckSubject {
	readonly name: string;
	readonly value: unknown;
	/** Why there is no value, as a clause without a period. */
	readonly missing?: string;
}

/** Reads the value that `output`, `node` and `inputs` of a check refer to. */
export function readSubject(fields: CheckFields, { outputs, trace }: CheckedRun): CheckSubject {
	const id = fields['node'] as string | undefined;
	const part = 'inputs' in fields ? 'inputs' : 'output';
	const path = fields[part] as string | undefined;
	const node = id === undefined ? undefined : trace.getNode(id);
	const holder = id === undefined ? outputs : part === 'inputs' ? node?.inputs : node?.outputs;
	const owner = id === undefined ? '' : part === 'inputs' ? `${id}'s input ` : `${id}.`;
	const name =
		path === undefined || path === '$'
			? id === undefined
				? 'the outputs'
				: `${part === 'inputs' ? 'the inputs' : 'the outputs'} of ${id}`
			: `${owner}${path}`;
	if (id !== undefined && node === undefined) {
		return { name, value: undefined, missing: `the node ${id} didn't run` };
	}
	const value = path === undefined ? holder : getValueAtPath(holder, parsePath(path) ?? [path]);
	if (value !== undefined) {
		return { name, value };
	}
	const names = Object.keys((holder ?? {}) as object);
	return { name, value, missing: names.length > 0 ? `available: ${names.slice(0, 12).join(', ')}` : 'nothing is available' };
}

/** Returns the node of a check; `undefined` if it names none, or the node didn't run. */
export function findTracedNode({ node }: CheckFields, { trace }: CheckedRun): TracedNode | undefined {
	return typeof node === 'string' ? trace.getNode(node) : undefined;
}
