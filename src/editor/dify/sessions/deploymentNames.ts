import * as vscode from 'vscode';
import type { DifyDeployment } from '#client/dify/management.ts';
import { toOneLine } from '../../platform/wording.ts';

/** Returns the label of a deployment, for example `Dify 1.13.3 (self-hosted)`. */
export function formatDeploymentName({ version, edition }: DifyDeployment): string {
	const name = version === undefined ? 'Dify' : `Dify ${toOneLine(version, 20)}`;
	switch (edition) {
		case 'SELF_HOSTED':
			return vscode.l10n.t('{0} (self-hosted)', name);
		case 'CLOUD':
			return vscode.l10n.t('{0} (cloud)', name);
		default:
			return name;
	}
}

/** Describes which operations a deployment supports. */
export function describeOperations({ generation }: DifyDeployment): string {
	switch (generation) {
		case 'console':
			return vscode.l10n.t('You can pull, push and publish apps, and run drafts, through the console API.');
		case 'openapi-1.15':
		case 'openapi-1.16':
			return vscode.l10n.t('You can pull and push apps. To publish an app, use the browser.');
		case 'openapi-1.18':
			return vscode.l10n.t('You can pull, push and publish apps, and run drafts.');
	}
}
