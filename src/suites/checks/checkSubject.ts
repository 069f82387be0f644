import { type LocalizableMessage, localizable, type MessageArgument } from '#base/text/localizableMessage.ts';
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
	readonly name: MessageArgument;
	readonly value: unknown;
	/** Why there is no value, as a clause without a period. */
	readonly missing?: LocalizableMessage;
}

/** Reads the value that `output`, `node` and `inputs` of a check refer to. */
export function readSubject(fields: CheckFields, { outputs, trace }: CheckedRun): CheckSubject {
	const id = fields['node'] as string | undefined;
	const part = 'inputs' in fields ? 'inputs' : 'output';
	const path = fields[part] as string | undefined;
	const node = id === undefined ? undefined : trace.getNode(id);
	const holder = id === undefined ? outputs : part === 'inputs' ? node?.inputs : node?.outputs;
	const name = getSubjectName(id, part, path);
	if (id !== undefined && node === undefined) {
		return { name, value: undefined, missing: localizable`the node ${id} didn't run` };
	}
	const value = path === undefined ? holder : getValueAtPath(holder, parseValuePath(path) ?? [path]);
	if (value !== undefined) {
		return { name, value };
	}
	const names = Object.keys((holder ?? {}) as object);
	return {
		name,
		value,
		missing: names.length > 0 ? localizable`available: ${names.slice(0, 12).join(', ')}` : localizable`nothing is available`,
	};
}

function getSubjectName(node: string | undefined, part: 'inputs' | 'output', path: string | undefined): MessageArgument {
	if (path === undefined || path === '$') {
		return node === undefined
			? localizable`the outputs`
			: part === 'inputs'
				? localizable`the inputs of ${node}`
				: localizable`the outputs of ${node}`;
	}
	return node === undefined ? path : part === 'inputs' ? localizable`${node}'s input ${path}` : `${node}.${path}`;
}

/** Returns the node of a check; `undefined` if it names none, or the node didn't run. */
export function findTracedNode({ node }: CheckFields, { trace }: CheckedRun): TracedNode | undefined {
	return typeof node === 'string' ? trace.getNode(node) : undefined;
}
