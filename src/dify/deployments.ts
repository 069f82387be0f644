import * as vscode from 'vscode';
import type { AppPage, DifyApp, DifyDeployment, DifyManagement, DifyWorkspace } from '../client/dify/management.ts';
import { DisposableBase } from '../common/disposables.ts';
import type { DifyFeatureParts } from './dify.ts';
import type { AppOfDeployment, DifyDeployments, ManagementState } from './difyTypes.ts';

/** The deployments behind Dify connections. */
export class Deployments extends DisposableBase implements DifyDeployments {
	readonly #changed = this.own(new vscode.EventEmitter<string>());
	readonly onDidChange = this.#changed.event;

	constructor(_parts: DifyFeatureParts) {
		super();
	}

	state(_connectionId: string): ManagementState {
		return { kind: 'signed-out' };
	}
	deployment(_connectionId: string): Promise<DifyDeployment> {
		return Promise.reject(new Error('Nobody has signed in.'));
	}
	management(_connectionId: string): Promise<DifyManagement> {
		return Promise.reject(new Error('Nobody has signed in.'));
	}
	workspace(_connectionId: string): Promise<DifyWorkspace | undefined> {
		return Promise.resolve(undefined);
	}
	appPage(_connectionId: string): Promise<AppPage> {
		return Promise.reject(new Error('Nobody has signed in.'));
	}
	app({ app }: AppOfDeployment): Promise<DifyApp> {
		return Promise.resolve(app);
	}
	apps(_connectionId: string): Promise<readonly DifyApp[]> {
		return Promise.resolve([]);
	}
	reload(connectionId: string): void {
		this.#changed.fire(connectionId);
	}
	connectionsAt(_origin: string): readonly string[] {
		return [];
	}
	consoleUrl(_connectionId: string, _appId: string): Promise<string> {
		return Promise.reject(new Error('Nobody has signed in.'));
	}
}
