import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { chooseDraftInputs } from '../../agents/files/draftInputs.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { getModeLabel } from '../../platform/difyModeText.ts';
import type { DeploymentDrafts } from '../../runs/following/runServices.ts';
import type { AppLinks, DifyDeployments } from '../difyTypes.ts';
import type { DraftWork } from './draftWork.ts';
import { checkDraftSupport } from './refusedDraft.ts';
import { chooseTargetApp, type TargetApp } from './targetApp.ts';

/** Dependencies of runs of drafts. */
export interface DraftRunsParts {
	readonly connections: Connections;
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
	readonly drafts: DeploymentDrafts;
	readonly work: () => Promise<DraftWork>;
}

/** Modes whose drafts are graphs. */
const graphModes = ['workflow', 'advanced-chat'];

/** *Run Draft in Dify*: runs the draft of an app on its deployment. */
export class DraftRuns {
	readonly #parts: DraftRunsParts;

	constructor(parts: DraftRunsParts) {
		this.#parts = parts;
	}

	/**
	 * Resolves to the run's last state, or `undefined` if no run was started.
	 * @param argument an app of the tree, or an agent file's URI
	 */
	async run(argument: unknown): Promise<RunRecord | undefined> {
		const { connections, deployments } = this.#parts;
		const app = await chooseTargetApp(this.#parts, argument);
		if (!app) {
			return undefined;
		}
		requireGraphApp(app);
		const connection = getConnectionOfApp(connections, app);
		const management = await deployments.getManagement(app.connectionId);
		const operation = app.mode === 'advanced-chat' ? 'streamDraftChat' : 'streamDraft';
		if (!(await checkDraftSupport(management, [operation], app, connections)) || !(await this.#confirmDraft(app))) {
			return undefined;
		}
		return this.#startRun(app, connection);
	}

	async #startRun(app: TargetApp, connection: Connection): Promise<RunRecord | undefined> {
		const { drafts, work } = this.#parts;
		const { runs, requests, runFiles, run, fillIn } = await work();
		const draft = { app: app.id, mode: app.mode };
		const agentFile = app.file?.toString();
		const agent = await drafts.describeApp(app.connectionId, draft, app.name);
		const record = runs
			.list({ connectionId: app.connectionId })
			.find(({ deploymentDraft: of }) => of?.app === app.id && of.node === undefined);
		const request = record && (await requests.findRequest(record));
		const last = record && request ? { record, request, refill: () => requests.refillRequest(record) } : undefined;
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

	/** Asks whether to run the draft in Dify if the file has local changes. Resolves to true to run it. */
	async #confirmDraft({ connectionId, id, mode, name, file }: TargetApp): Promise<boolean> {
		const app = { id, name, description: '', mode, updatedAt: undefined };
		const link = file && this.#parts.links.getLink({ connectionId, app });
		if (link?.state !== 'changed-here' && link?.state !== 'changed-both') {
			return true;
		}
		const [run, push] = [vscode.l10n.t('Run draft in Dify'), vscode.l10n.t('Push first…')];
		const message = vscode.l10n.t("'{0}' has local changes that aren't in Dify. The run will use the draft in Dify.", name);
		const choice = await vscode.window.showWarningMessage(message, { modal: true }, run, push);
		if (choice === push) {
			await vscode.commands.executeCommand('agentWorkbench.difyApp.push' satisfies CommandId, { connectionId, app });
		}
		return choice === run;
	}
}

/** Throws a {@link Problem} if an app isn't a workflow or chatflow. */
export function requireGraphApp({ name, mode }: TargetApp): void {
	if (!graphModes.includes(mode)) {
		const message = vscode.l10n.t(
			"The type of '{0}' is '{1}'. Only drafts of workflows and chatflows can be run.",
			name,
			getModeLabel(mode),
		);
		throw new Problem('no-graph', message);
	}
}

/** Returns the connection of an app. Throws a {@link Problem} if it no longer exists. */
export function getConnectionOfApp(connections: Connections, { connectionId, name }: TargetApp): Connection {
	const connection = connections.get(connectionId);
	if (!connection) {
		throw new Problem('unknown-connection', vscode.l10n.t("The connection of '{0}' no longer exists.", name));
	}
	return connection;
}
