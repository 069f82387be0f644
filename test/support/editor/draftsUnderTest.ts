import * as vscode from 'vscode';
import type { DifyApp } from '#client/dify/management.ts';
import type { AppLink, AppLinks, DifyDeployments, ManagementState } from '#editor/dify/difyTypes.ts';
import { DraftActions } from '#editor/dify/drafts/draftActions.ts';
import { Drafts } from '#editor/dify/drafts/drafts.ts';
import { createDraftWork } from '#editor/dify/drafts/draftWork.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { RecordedLog } from './connectionsUnderTest.ts';
import { PlayedManagement } from './playedManagement.ts';
import { WindowUnderTest } from './windowUnderTest.ts';

/** A window with a Dify connection to a fake deployment. */
export class DraftsUnderTest {
	readonly there = new PlayedManagement();
	readonly window = new WindowUnderTest(undefined, [{ id: 'dify', name: 'Our Dify', kind: 'dify', user: 'ana' }]);
	readonly app: DifyApp = { id: 'app-1', name: 'Tea', description: '', mode: 'workflow', updatedAt: 1 };
	readonly #changed = new vscode.EventEmitter<string>();
	standing: ManagementState = { kind: 'signed-in', account: 'ana@test', workspaceId: 'w', workspace: undefined };
	link: AppLink | undefined;
	actions: DraftActions;

	constructor() {
		this.actions = this.#createActions();
	}

	/** Closes the window and opens it again. */
	reopenWindow(): void {
		this.actions.dispose();
		this.window.reopenWindow();
		this.actions = this.#createActions();
	}

	setSignInState(standing: ManagementState): void {
		this.standing = standing;
		this.#changed.fire('dify');
	}

	executeCommand(
		command: 'runDraft' | 'runNode' | 'showRuns',
		argument: unknown = { connectionId: 'dify', app: this.app },
	): Promise<unknown> {
		return Promise.resolve(this.actions.handlers[`agentWorkbench.difyApp.${command}`]?.(argument));
	}

	/** Runs the draft with these inputs, without a prompt for them. */
	runDraft(
		inputs: Record<string, unknown> = { topic: 'tea' },
		fields: { mode?: string; node?: string; agentFile?: string } = {},
	): Promise<RunRecord> {
		const { mode = 'workflow', node, agentFile } = fields;
		return this.window.runs.presenter.run(
			{ id: 'dify', name: 'Our Dify', kind: 'dify', user: 'ana' },
			{ model: 'Tea', inputs, response_mode: 'streaming', user: 'ana' },
			{ deployment: { draft: { app: 'app-1', mode, ...(node !== undefined && { node }) }, agentFile } },
		);
	}

	async dispose(): Promise<void> {
		this.actions.dispose();
		await this.window.dispose();
	}

	#createActions(): DraftActions {
		const { window } = this;
		const deployments: Partial<DifyDeployments> = {
			onDidChange: this.#changed.event,
			getState: () => this.standing,
			getManagement: async () => {
				if (this.standing.kind !== 'signed-in') {
					throw Object.assign(new Error('The sign-in has expired: sign in again.'), { reason: 'session-expired' });
				}
				return this.there.management;
			},
			loadAppPage: async () => ({ apps: [this.app], page: 1, total: 1, hasMore: false }),
			listConnectionsAt: origin => (origin === 'https://dify.test' ? ['dify'] : []),
		};
		const links: Partial<AppLinks> = { getLink: () => this.link };
		const parts = { connections: window.connections, deployments: deployments as DifyDeployments, links: links as AppLinks };
		const drafts = new Drafts(parts);
		window.deploymentDrafts = drafts;
		const { runs, records } = window;
		return new DraftActions({
			...parts,
			runs: records,
			work: async () => createDraftWork(runs),
			drafts,
			log: new RecordedLog().channel,
		});
	}
}
