import * as vscode from 'vscode';
import type { LeakedDependency } from '#client/dify/management.ts';
import type { PushOutcome, PushPlan } from '#dify/syncTypes.ts';
import { toOneLine } from '../../platform/wording.ts';
import { askToConfirm } from './dialogues.ts';

/** Lists the problems that the deployment found in a file, one per line. */
export function listFaults(faults: PushPlan['faults']): string[] {
	return faults.map(({ nodeId, message }) =>
		toOneLine(
			nodeId === undefined
				? vscode.l10n.t('Problem found by Dify: {0}', message)
				: vscode.l10n.t("Problem found by Dify in node '{0}': {1}", nodeId, message),
			160,
		),
	);
}

/** Describes why a deployment refused a file. */
export function describeRefusal({ message, details }: PushOutcome & { readonly kind: 'failed' }): string {
	const detailed = details.slice(0, 4).map(detail => (detail.path === '' ? detail.message : `${detail.path}: ${detail.message}`));
	return [message, ...detailed].map(text => toOneLine(text, 200)).join(' · ');
}

/** Returns a message about missing plugins, or an empty list if none are missing. */
export function describeMissingPlugins(missing: readonly LeakedDependency[]): string[] {
	const names = missing.map(({ name }) => toOneLine(name, 60)).join(', ');
	return names === '' ? [] : [vscode.l10n.t('The Dify workspace is missing required plugins: {0}.', names)];
}

/** Asks whether to import a file whose format version isn't the deployment's. */
export async function confirmImport({ currentVersion, importedVersion }: PushOutcome & { readonly kind: 'pending' }): Promise<boolean> {
	const unknown = vscode.l10n.t('unknown');
	const versions = vscode.l10n.t(
		'The file uses format version {0}, but this server uses version {1}.',
		importedVersion ?? unknown,
		currentVersion ?? unknown,
	);
	const lines = [versions, vscode.l10n.t("Parts that the server doesn't support might be lost. A backup of the app will be saved.")];
	return askToConfirm(vscode.l10n.t('Import a file with a different format version?'), lines, vscode.l10n.t('Import'));
}
