import * as vscode from 'vscode';
import type { DeploymentAccess } from '#client/dify/detectDeployment.ts';
import type { DeviceLogin } from '#client/dify/deviceLogin.ts';
import type { DifyDeployment, DifyManagement, DifySession } from '#client/dify/management.ts';
import type { ManagementOptions } from '#client/dify/openManagement.ts';
import type { DifySignIn } from '#client/dify/signIn.ts';
import { readNetworkSettings } from '../connections/networkSettings.ts';

/** Calls the client's functions for deployments, whose code is loaded on first use. Requests are logged without query and credentials. */
export class DifyClient {
	readonly #log: vscode.LogOutputChannel;

	constructor(log: vscode.LogOutputChannel) {
		this.#log = log;
	}

	/** Detects the deployment at an origin. Sends no credentials. */
	async detectDeployment(origin: string, signal?: AbortSignal): Promise<DifyDeployment> {
		return (await loadClient()).detectDeployment(origin, this.#createAccess(), { signal });
	}

	/** Starts a sign-in in the browser. `deviceLabel` identifies it in the account's list of sign-ins. */
	async startDeviceLogin(deployment: DifyDeployment, deviceLabel: string): Promise<DeviceLogin> {
		return (await loadClient()).startDeviceLogin(deployment, { ...this.#createAccess(), clientId: readClientId(), deviceLabel });
	}

	/** Signs in to a console. The password isn't saved. */
	async logInToConsole(deployment: DifyDeployment, email: string, password: string): Promise<DifySignIn> {
		return (await loadClient()).consoleLogin(deployment, { ...this.#createAccess(), email, password });
	}

	/** Returns the operations that a session supports on a deployment. Sends no request. */
	async openManagement(options: Omit<ManagementOptions, keyof DeploymentAccess>): Promise<DifyManagement> {
		return (await loadClient()).openManagement({ ...options, ...this.#createAccess() });
	}

	/** Revokes a session. */
	async signOut(deployment: DifyDeployment, session: DifySession): Promise<void> {
		await (await loadClient()).signOut(deployment, session, this.#createAccess());
	}

	#createAccess() {
		return {
			network: readNetworkSettings(),
			onRequest: (({ method, path, status, error, durationMs }) =>
				this.#log.info(
					`Dify: ${method} ${path} ${status ?? error?.reason ?? ''} ${Math.round(durationMs)} ms`,
				)) satisfies DeploymentAccess['onRequest'],
		};
	}
}

async function loadClient() {
	return (await import('#client/dify/difyClient.ts')).difyClient;
}

/** Reads only the user's value, because a workspace must not influence sign-ins. */
function readClientId(): string {
	const value = vscode.workspace.getConfiguration('agentWorkbench').inspect<string>('dify.clientId')?.globalValue;
	return value?.trim() || 'difyctl';
}
