import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugVariable } from '#contract/debugAnswers.ts';
import type { StoppedRun, ValuePlace } from './stoppedRun.ts';

/** Maximum number of variables that one command can list. */
export const mostAtOnce = 1000;
/** Maximum length of a value shown in full, in UTF-16 units. */
const longestLine = 2000;
/** Marks the end of a value that the gateway has cut. */
const cutMark = '…';

/** Converts a value to a DAP variable. */
export function toDapVariable(stopped: StoppedRun, place: Omit<ValuePlace, 'path'>, variable: DebugVariable): DebugProtocol.Variable {
	const { name, type, settable, selector, children, path } = variable;
	return {
		name,
		value: formatValueLine(variable),
		type,
		...createChildReference(stopped, place, { children, path, type }),
		...(selector !== undefined && { evaluateName: selector }),
		...(!settable && { presentationHint: { attributes: ['readOnly'] } }),
	};
}

/** Formats a value on one line. Complete if possible, because VS Code also shows it in the box where the user edits the value. */
function formatValueLine({ text, value }: DebugVariable): string {
	return value === undefined || value.length > longestLine ? text : JSON.stringify(value);
}

/** True if the user edited a cut value. Sending it would replace the complete value. */
export function isEditedCutValue(variable: DebugVariable, typed: string): boolean {
	return variable.text.endsWith(cutMark) && formatValueLine(variable) === variable.text && typed.includes(cutMark);
}

/** Returns the reference and the number of a value's children, so that VS Code can show long lists in pages. */
export function createChildReference(
	stopped: StoppedRun,
	{ branch, frame }: Omit<ValuePlace, 'path'>,
	{ children, path, type }: { readonly children: number; readonly path?: DebugVariable['path'] | undefined; readonly type: string },
): { variablesReference: number; indexedVariables?: number; namedVariables?: number } {
	if (children === 0 || !path) {
		return { variablesReference: 0 };
	}
	const variablesReference = stopped.getReference({ branch, frame, path });
	return /^array/.test(type) ? { variablesReference, indexedVariables: children } : { variablesReference, namedVariables: children };
}

/** Parses a typed value as JSON if it's valid. Strings need no quotes. */
export function parseTypedValue(text: string, type: string): unknown {
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
