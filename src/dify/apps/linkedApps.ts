import * as vscode from 'vscode';
import { DisposableBase } from '../../common/disposables.ts';
import type { AppLink, AppLinks, AppOfDeployment, DifyDeployments } from '../difyTypes.ts';

/** Which agent files of the workspace are of which apps, by their sidecar files. */
export class LinkedApps extends DisposableBase implements AppLinks {
	readonly #changed = this.own(new vscode.EventEmitter<string>());
	readonly onDidChange = this.#changed.event;

	constructor(_parts: { readonly deployments: DifyDeployments; readonly log: vscode.LogOutputChannel }) {
		super();
	}

	linkOf(_of: AppOfDeployment): AppLink | undefined {
		return undefined;
	}

	async check(_of: AppOfDeployment): Promise<void> {}
}
