import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { placeholderIn } from '#runs/request/placeholders.ts';

/**
 * Rejects inputs, as they were sent or filled in, that a run file would not send as they are: in place of a text such as `${env:HOME}` it sends what stands
 * behind it, and of `$file` a file. Placeholders of secrets are no texts, and are left alone: those of passwords, and `secretPlaces`.
 */
export function requireLiteral(inputs: Readonly<Record<string, unknown>>, secretPlaces: ReadonlySet<string> = new Set()): void {
	for (const [name, value] of Object.entries(inputs)) {
		const found = meaningIn(value, secretPlaces);
		if (found !== undefined) {
			const sentence = vscode.l10n.t(
				'“{0}” holds the text {1}, for which a run file would send something else: change it, or run it without a run file.',
				name,
				found,
			);
			throw new Problem('no-literal', sentence);
		}
	}
}

function meaningIn(value: unknown, secretPlaces: ReadonlySet<string>): string | undefined {
	if (typeof value === 'string') {
		return placeholderIn(value, secretPlaces);
	}
	if (typeof value !== 'object' || value === null) {
		return undefined;
	}
	if (Object.hasOwn(value, '$file')) {
		return '"$file"';
	}
	for (const part of Object.values(value)) {
		const found = meaningIn(part, secretPlaces);
		if (found !== undefined) {
			return found;
		}
	}
	return undefined;
}
