import type { CaseRun } from '../results/caseResult.ts';
import type { RunTrace, TracedNode } from '../running/runTrace.ts';
import type { CheckFields } from '../suite.ts';
import { parsePath, valueAt } from './valuePath.ts';

/** A run that is over, as checks see it. */
export interface CheckedRun {
	readonly run: CaseRun;
	readonly outputs: Readonly<Record<string, unknown>>;
	readonly trace: RunTrace;
	/** Columns of the row, of a dataset. */
	readonly row: Readonly<Record<string, unknown>> | undefined;
	/** Expected values come from a format that has nothing but texts: "5" is 5 there. */
	readonly fromText: boolean;
}

/** What a check on a value looks at: how sentences name it, and the value; `undefined` where there is none. */
export interface CheckSubject {
	readonly name: string;
	readonly value: unknown;
	/** Why there is no value, as a clause without a period. */
	readonly missing?: string;
}

/** What `output`, `node` and `inputs` of a check point to. */
export function subjectOf(fields: CheckFields, { outputs, trace }: CheckedRun): CheckSubject {
	const id = fields['node'] as string | undefined;
	const part = 'inputs' in fields ? 'inputs' : 'output';
	const path = fields[part] as string | undefined;
	const node = id === undefined ? undefined : trace.node(id);
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
	const value = path === undefined ? holder : valueAt(holder, parsePath(path) ?? [path]);
	if (value !== undefined) {
		return { name, value };
	}
	const names = Object.keys((holder ?? {}) as object);
	return { name, value, missing: names.length > 0 ? `available: ${names.slice(0, 12).join(', ')}` : 'nothing is available' };
}

/** The node of a check on how a node went; `undefined` where it names none or that did not run. */
export function nodeOf({ node }: CheckFields, { trace }: CheckedRun): TracedNode | undefined {
	return typeof node === 'string' ? trace.node(node) : undefined;
}
