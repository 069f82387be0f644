import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { chooseDraftInputs } from '../../agents/files/draftInputs.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { modeText } from '../../platform/difyModeText.ts';
import type { DeploymentDrafts } from '../../runs/following/runServices.ts';
import type { AppLinks, DifyDeployments } from '../difyTypes.ts';
import type { DraftWork } from './draftWork.ts';
import { type MeantApp, meantApp } from './meantApp.ts';
import { offersDraft } from './refusedDraft.ts';

/** What running drafts works with. */
export interface DraftRunsParts {
	readonly connections: Connections;
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
	readonly drafts: DeploymentDrafts;
	readonly work: () => Promise<DraftWork>;
}

/** Modes whose drafts are graphs. */
const graphModes = ['workflow', 'advanced-chat'];

/** *Run Draft in Dify*: the draft of an app as it stands on its deployment. */
export class DraftRuns {
	readonly #parts: DraftRunsParts;

	constructor(parts: DraftRunsParts) {
		this.#parts = parts;
	}

	/** `argument`: an app of the tree, or an agent file's URI. Resolves with the run's last state; `undefined` where it did not come to a run. */
	async run(argument: unknown): Promise<RunRecord | undefined> {
		const { connections, deployments } = this.#parts;
		const app = await meantApp(this.#parts, argument);
		if (!app) {
			return undefined;
		}
		requireGraph(app);
		const connection = connectionOf(connections, app);
		const management = await deployments.management(app.connectionId);
		const operation = app.mode === 'advanced-chat' ? 'streamDraftChat' : 'streamDraft';
		if (!(await offersDraft(management, [operation], vscode.l10n.t('Drafts run there'), app, connections)) || !(await this.#isMeant(app))) {
			return undefined;
		}
		return this.#start(app, connection);
	}

	async #start(app: MeantApp, connection: Connection): Promise<RunRecord | undefined> {
		const { drafts, work } = this.#parts;
		const { runs, requests, runFiles, run, fillIn } = await work();
		const draft = { app: app.id, mode: app.mode };
		const agentFile = app.file?.toString();
		const agent = await drafts.describeApp(app.connectionId, draft, app.name);
		const record = runs
			.list({ connectionId: app.connectionId })
			.find(({ deploymentDraft: of }) => of?.app === app.id && of.node === undefined);
		const request = record && (await requests.findRequest(record));
		const last = record && request ? { record, request, refilled: () => requests.refillRequest(record) } : undefined;
		const target = { connectionId: app.connectionId, agent: app.name, draft, ...(agentFile === undefined ? {} : { agentFile }) };
		const chosen = await chooseDraftInputs(agent, connection, runFiles, last, () => fillIn(target));
		if (!chosen) {
			return undefined;
		}
		const { secrets, file, repeats } = chosen;
		return run(
			connection,
			{ ...chosen.request, model: app.name, user: connection.user },
			{
				deployment: { draft, agentFile },
				secrets,
				...(file === undefined ? {} : { file }),
				...(repeats === undefined ? {} : { repeats }),
			},
		);
	}

	/** Whether the draft there is what the user means, where the file here is known to say something else. */
	async #isMeant({ connectionId, id, mode, name, file }: MeantApp): Promise<boolean> {
		const app = { id, name, description: '', mode, updatedAt: undefined };
		const link = file && this.#parts.links.linkOf({ connectionId, app });
		if (link?.state !== 'changed-here' && link?.state !== 'changed-both') {
			return true;
		}
		const [run, push] = [vscode.l10n.t('Run What Is There'), vscode.l10n.t('Push First…')];
		const sentence = vscode.l10n.t('“{0}” was changed here since it was pulled. What runs is the draft as it is in Dify.', name);
		const choice = await vscode.window.showWarningMessage(sentence, { modal: true }, run, push);
		if (choice === push) {
			await vscode.commands.executeCommand('agentWorkbench.difyApp.push' satisfies CommandId, { connectionId, app });
		}
		return choice === run;
	}
}

/** Rejects for an app that is no graph. */
export function requireGraph({ name, mode }: MeantApp): void {
	if (!graphModes.includes(mode)) {
		const sentence = vscode.l10n.t('“{0}” is of the kind “{1}”: only workflows and chatflows have drafts that run.', name, modeText(mode));
		throw new Problem('no-graph', sentence);
	}
}

/** The connection of an app; rejects where it is gone. */
export function connectionOf(connections: Connections, { connectionId, name }: MeantApp): Connection {
	const connection = connections.get(connectionId);
	if (!connection) {
		throw new Problem('unknown-connection', vscode.l10n.t('The connection of “{0}” is no longer there.', name));
	}
	return connection;
}
