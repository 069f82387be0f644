import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugVariable } from '#contract/debugging.ts';
import type { StoppedRun, ValuePlace } from './stoppedRun.ts';

/** Most of what one command can list. */
export const mostAtOnce = 1000;
/** Longest text that is shown whole, in UTF-16 units. */
const longestLine = 2000;
/** Stands at the end of what the gateway has cut. */
const cutMark = '…';

/** A value as the editor lists it. */
export function shownVariable(stopped: StoppedRun, place: Omit<ValuePlace, 'path'>, variable: DebugVariable): DebugProtocol.Variable {
	const { name, type, settable, selector, children, path } = variable;
	return {
		name,
		value: lineOf(variable),
		type,
		...childrenOf(stopped, place, { children, path, type }),
		...(selector !== undefined && { evaluateName: selector }),
		...(!settable && { presentationHint: { attributes: ['readOnly'] } }),
	};
}

/** What the editor shows of a value, and puts into the box where it is changed: a text as whole as that allows, on one line. */
function lineOf({ text, value }: DebugVariable): string {
	return value === undefined || value.length > longestLine ? text : JSON.stringify(value);
}

/** Whether what was typed is what was shown of a value that was cut: sent, it would take the place of the whole. */
export function isCut(variable: DebugVariable, typed: string): boolean {
	return variable.text.endsWith(cutMark) && lineOf(variable) === variable.text && typed.includes(cutMark);
}

/** What is inside a value: a number to ask for it by, and how much there is, so that the editor pages long lists. */
export function childrenOf(
	stopped: StoppedRun,
	{ branch, frame }: Omit<ValuePlace, 'path'>,
	{ children, path, type }: { readonly children: number; readonly path?: DebugVariable['path'] | undefined; readonly type: string },
): { variablesReference: number; indexedVariables?: number; namedVariables?: number } {
	if (children === 0 || !path) {
		return { variablesReference: 0 };
	}
	const variablesReference = stopped.reference({ branch, frame, path });
	return /^array/.test(type) ? { variablesReference, indexedVariables: children } : { variablesReference, namedVariables: children };
}

/** How what the user typed is sent: as JSON where it is any; a text needs no quotes. */
export function typedValue(text: string, type: string): unknown {
	const isQuoted = /^\s*"/.test(text) && /"\s*$/.test(text);
	if (/^(string|secret)/.test(type) && !isQuoted) {
		return text;
	}
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
