import * as vscode from 'vscode';
import type { DifyDeployment } from '#client/dify/management.ts';
import { oneLine } from '../../platform/wording.ts';

/** A deployment in a few words: `Dify 1.13.3, self-hosted`. */
export function deploymentName({ version, edition }: DifyDeployment): string {
	const name = version === undefined ? 'Dify' : `Dify ${oneLine(version, 20)}`;
	switch (edition) {
		case 'SELF_HOSTED':
			return vscode.l10n.t('{0}, self-hosted', name);
		case 'CLOUD':
			return vscode.l10n.t('{0}, cloud', name);
		default:
			return name;
	}
}

/** What can be managed there from here, by its generation. */
export function deploymentOffers({ generation }: DifyDeployment): string {
	switch (generation) {
		case 'console':
			return vscode.l10n.t('Apps are pulled, pushed, published and run as drafts through its console.');
		case 'openapi-1.15':
		case 'openapi-1.16':
			return vscode.l10n.t('Apps are pulled and pushed; they are published in the browser.');
		case 'openapi-1.18':
			return vscode.l10n.t('Apps are pulled, pushed, published and run as drafts.');
	}
}
