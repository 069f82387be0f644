import * as vscode from 'vscode';
import type { DeploymentAccess } from '#client/dify/detectDeployment.ts';
import type { DeviceLogin } from '#client/dify/deviceLogin.ts';
import type { DifyDeployment, DifyManagement, DifySession } from '#client/dify/management.ts';
import type { ManagementOptions } from '#client/dify/openManagement.ts';
import type { DifySignIn } from '#client/dify/signIn.ts';
import { networkSettings } from '../connections/networkSettings.ts';

/** The client's side of deployments, whose code is loaded on first use. Every request is logged, without its query and what proves who asks. */
export class DifyClient {
	readonly #log: vscode.LogOutputChannel;

	constructor(log: vscode.LogOutputChannel) {
		this.#log = log;
	}

	/** What is behind an origin; sends no credentials. */
	async detect(origin: string, signal?: AbortSignal): Promise<DifyDeployment> {
		return (await load()).detectDeployment(origin, this.#access(), { signal });
	}

	/** Begins a sign-in in the browser; `deviceLabel` names it in the account's list of them. */
	async startDeviceLogin(deployment: DifyDeployment, deviceLabel: string): Promise<DeviceLogin> {
		return (await load()).startDeviceLogin(deployment, { ...this.#access(), clientId: clientId(), deviceLabel });
	}

	/** Signs in to a console; the password is not kept. */
	async consoleLogin(deployment: DifyDeployment, email: string, password: string): Promise<DifySignIn> {
		return (await load()).consoleLogin(deployment, { ...this.#access(), email, password });
	}

	/** What a session may do with a deployment; sends nothing yet. */
	async open(options: Omit<ManagementOptions, keyof DeploymentAccess>): Promise<DifyManagement> {
		return (await load()).openManagement({ ...options, ...this.#access() });
	}

	/** Has a deployment forget a session. */
	async signOut(deployment: DifyDeployment, session: DifySession): Promise<void> {
		await (await load()).signOut(deployment, session, this.#access());
	}

	#access() {
		return {
			network: networkSettings(),
			onRequest: (({ method, path, status, error, durationMs }) =>
				this.#log.info(
					`Dify: ${method} ${path} ${status ?? error?.reason ?? ''} ${Math.round(durationMs)} ms`,
				)) satisfies DeploymentAccess['onRequest'],
		};
	}
}

async function load() {
	return (await import('#client/dify/difyClient.ts')).difyClient;
}

/** The user's own value alone, as of all that says whom a sign-in is for. */
function clientId(): string {
	const value = vscode.workspace.getConfiguration('agentWorkbench').inspect<string>('dify.clientId')?.globalValue;
	return value?.trim() || 'difyctl';
}
