import * as vscode from 'vscode';
import type { LeakedDependency } from '#client/dify/management.ts';
import type { PushOutcome, PushPlan } from '#dify/syncTypes.ts';
import { oneLine } from '../../platform/wording.ts';
import { confirmed } from './dialogues.ts';

/** What the deployment finds wrong with a file, one fault a line. */
export function faultLines(faults: PushPlan['faults']): string[] {
	return faults.map(({ nodeId, message }) =>
		oneLine(
			nodeId === undefined
				? vscode.l10n.t('Dify finds wrong: {0}', message)
				: vscode.l10n.t('Dify finds wrong in {0}: {1}', nodeId, message),
			160,
		),
	);
}

/** Why a deployment refused a file. */
export function refusalText({ message, details }: PushOutcome & { readonly kind: 'failed' }): string {
	const detailed = details.slice(0, 4).map(detail => (detail.path === '' ? detail.message : `${detail.path}: ${detail.message}`));
	return [message, ...detailed].map(text => oneLine(text, 200)).join(' · ');
}

/** Plugins that are missing, in a sentence; none where none are. */
export function missingText(missing: readonly LeakedDependency[]): string[] {
	const names = missing.map(({ name }) => oneLine(name, 60)).join(', ');
	return names === '' ? [] : [vscode.l10n.t('The workspace there lacks plugins that it needs: {0}.', names)];
}

/** The deployment has another version of the format than the file: whether it is to take it nevertheless. */
export async function mayTake({ currentVersion, importedVersion }: PushOutcome & { readonly kind: 'pending' }): Promise<boolean> {
	const unknown = vscode.l10n.t('unknown');
	const versions = vscode.l10n.t(
		'The file has version {0} of the format, and this deployment version {1}.',
		importedVersion ?? unknown,
		currentVersion ?? unknown,
	);
	const lines = [
		versions,
		vscode.l10n.t('Nothing was changed there yet. What it does not know of the file may be lost; what was there is kept.'),
	];
	return confirmed(vscode.l10n.t('Dify asks whether to take a file of another version. Take it?'), lines, vscode.l10n.t('Take It'));
}
