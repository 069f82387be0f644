import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugVariable } from '../protocol/debugging.ts';
import type { StoppedRun, ValuePlace } from './stoppedRun.ts';

/** Most of what one command can list. */
const mostAtOnce = 1000;

/** A value as the editor lists it. */
export function shownVariable(
	stopped: StoppedRun,
	{ branch, frame }: Omit<ValuePlace, 'path'>,
	variable: DebugVariable,
): DebugProtocol.Variable {
	return {
		name: variable.name,
		value: variable.text,
		type: variable.type,
		...childrenOf(stopped, { branch, frame }, variable),
		...(variable.path && { evaluateName: expressionOf(variable.path) }),
		...(!variable.settable && { presentationHint: { attributes: ['readOnly'] } }),
	};
}

/** What is inside a value: a number to ask for it by, and how much there is, so that the editor pages long lists. */
export function childrenOf(
	stopped: StoppedRun,
	{ branch, frame }: Omit<ValuePlace, 'path'>,
	{ children, path, type }: DebugVariable,
): { variablesReference: number; indexedVariables?: number; namedVariables?: number } {
	if (children === 0 || !path) {
		return { variablesReference: 0 };
	}
	const variablesReference = stopped.reference({ branch, frame, path });
	return isList(type) ? { variablesReference, indexedVariables: children } : { variablesReference, namedVariables: children };
}

/** How what the user typed is sent: as JSON where it is any; a text needs no quotes. */
export function typedValue(text: string, type: string | undefined): unknown {
	const isText = type !== undefined && /^(string|text|secret)/.test(type);
	if (isText && !/^\s*"[^]*"\s*$/.test(text)) {
		return text;
	}
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

/** Which of its values a request wants, a command's worth each. */
export function pagesOf(start: number | undefined, count: number | undefined, total: number): { start: number; count: number }[] {
	const from = start ?? 0;
	const to = count ? Math.min(total, from + count) : total;
	const pages: { start: number; count: number }[] = [];
	for (let at = from; at < to; at += mostAtOnce) {
		pages.push({ start: at, count: Math.min(mostAtOnce, to - at) });
	}
	return pages;
}

function isList(type: string): boolean {
	return /^(array|list)/.test(type);
}

/** A path as Watch evaluates it, where the gateway names it by its scope. */
function expressionOf(path: readonly (string | number)[]): string {
	return path
		.map((key, at) =>
			typeof key === 'number' ? `[${key}]` : at === 0 ? key : /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
		)
		.join('');
}
