import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { findPlainPlaceholder } from '#runs/request/placeholders.ts';

/**
 * Throws if a run file with these inputs would send something different, because it replaces strings such as `${env:HOME}` with their
 * value, and `$file` with a file. Allows placeholders of passwords and those in `secretPlaces`.
 */
export function requireLiteralInputs(inputs: Readonly<Record<string, unknown>>, secretPlaces: ReadonlySet<string> = new Set()): void {
	for (const [name, value] of Object.entries(inputs)) {
		const found = findPlaceholder(value, secretPlaces);
		if (found !== undefined) {
			const message = vscode.l10n.t(
				"'{0}' contains {1}, which a run file would replace. Change the value, or run without a run file.",
				name,
				found,
			);
			throw new Problem('no-literal', message);
		}
	}
}

function findPlaceholder(value: unknown, secretPlaces: ReadonlySet<string>): string | undefined {
	if (typeof value === 'string') {
		return findPlainPlaceholder(value, secretPlaces);
	}
	if (typeof value !== 'object' || value === null) {
		return undefined;
	}
	if (Object.hasOwn(value, '$file')) {
		return '"$file"';
	}
	for (const part of Object.values(value)) {
		const found = findPlaceholder(part, secretPlaces);
		if (found !== undefined) {
			return found;
		}
	}
	return undefined;
}
