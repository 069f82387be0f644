import * as vscode from 'vscode';
import type { DifyManagement } from '#client/dify/management.ts';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';
import type { Deployments } from '../deployments.ts';
import { getErrorCode } from '../difyProblem.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { openInBrowser } from '../openInBrowser.ts';

interface Parts {
	readonly deployments: Deployments;
}

/** Turns on the service API of an app. If this sign-in can't do that, offers to open the app in the browser. */
export async function enableServiceApi({ deployments }: Parts, { connectionId, app }: AppOfDeployment): Promise<void> {
	const management = await deployments.getManagement(connectionId);
	if (!management.offers.has('setServiceApi')) {
		return offerToOpenBrowser(deployments, { connectionId, app });
	}
	await management.setServiceApi(app.id, true);
	deployments.reloadApps(connectionId);
}

/**
 * Makes sure that the service API of an app is on, because its keys don't work otherwise. Asks before turning it on. Resolves to true if it
 * is on.
 */
export async function ensureServiceApi({ deployments }: Parts, management: DifyManagement, of: AppOfDeployment): Promise<boolean> {
	if (!(await isServiceApiOff(management, of.app.id))) {
		return true;
	}
	if (!management.offers.has('setServiceApi')) {
		await offerToOpenBrowser(deployments, of);
		return false;
	}
	const enable = vscode.l10n.t('Enable and create key');
	const choice = await vscode.window.showWarningMessage(
		vscode.l10n.t("The service API of '{0}' is turned off.", toOneLine(of.app.name)),
		{
			modal: true,
			detail: vscode.l10n.t('API keys only work while the service API is on. Anyone with a key can then run the published app.'),
		},
		enable,
	);
	if (choice !== enable) {
		return false;
	}
	await management.setServiceApi(of.app.id, true);
	deployments.reloadApps(of.connectionId);
	return true;
}

/** True if the service API of an app is off. `/openapi` refuses to describe such an app. */
async function isServiceApiOff(management: DifyManagement, appId: string): Promise<boolean> {
	try {
		return (await management.app(appId)).serviceApi === false;
	} catch (error) {
		if (getErrorCode(error) === 'service_api_disabled' || getErrorCode((error as Error).cause) === 'service_api_disabled') {
			return true;
		}
		throw error;
	}
}

async function offerToOpenBrowser(deployments: Deployments, { connectionId, app }: AppOfDeployment): Promise<void> {
	const open = vscode.l10n.t('Open in Dify');
	const page = (await deployments.getAppUrl(connectionId, app.id)).replace(/\/workflow$/, '/overview');
	const message = vscode.l10n.t(
		"The service API of '{0}' is turned off, and this sign-in can't turn it on. Turn on 'Backend Service API' in Dify.",
		app.name,
	);
	if ((await vscode.window.showWarningMessage(escapeLinks(message), open)) === open) {
		await openInBrowser(page);
	}
}
