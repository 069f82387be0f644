import { l10n, type Uri } from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import type { AnsweredService } from '#runs/following/runFollowerParts.ts';
import type { DeploymentDraft } from '#runs/runTypes.ts';
import type { AskOptions, DeploymentDrafts } from '../../runs/following/runServices.ts';
import { requireGraph } from './draftRuns.ts';
import { DraftService } from './draftService.ts';
import { type MeantAppParts, meantApp } from './meantApp.ts';
import { offersDraft } from './refusedDraft.ts';
import { chooseRunThere, keyOfRun } from './runsThere.ts';
import { startVariablesOf } from './startVariables.ts';

/** Drafts of apps, for what follows and shows runs. */
export class Drafts implements DeploymentDrafts {
	readonly #parts: MeantAppParts;

	constructor(parts: MeantAppParts) {
		this.#parts = parts;
	}

	async service(connectionId: string, draft: DeploymentDraft, { ask = true, known }: AskOptions): Promise<AnsweredService> {
		return new DraftService({
			management: await this.#parts.deployments.management(connectionId, { ask }),
			draft,
			...(known && { known }),
			uploadFile: async (...asked) => (await this.#parts.connections.client(connectionId)).uploadFile(...asked),
		});
	}

	async linkedFile(connectionId: string, id: string): Promise<Uri | undefined> {
		const app = { id, name: '', description: '', mode: '', updatedAt: undefined };
		return this.#parts.links.linkOf({ connectionId, app })?.uri;
	}

	chooseRun(file: Uri): Promise<string | undefined> {
		return this.chooseRunOf(file);
	}

	/** Has the user choose a run of the app that a command means; resolves to its key. */
	async chooseRunOf(argument: unknown): Promise<string | undefined> {
		const { connections, deployments } = this.#parts;
		const app = await meantApp(this.#parts, argument);
		if (!app) {
			return undefined;
		}
		requireGraph(app);
		const management = await deployments.management(app.connectionId);
		if (!(await offersDraft(management, ['runs', 'run', 'runNodes'], l10n.t('Runs are told of'), app, connections))) {
			return undefined;
		}
		const run = await chooseRunThere(management, app);
		return run && keyOfRun(app, run);
	}

	/** Reads the draft as it stands there now. */
	async describe(connectionId: string, { app, mode }: DeploymentDraft, name: string): Promise<AgentSummary> {
		const management = await this.#parts.deployments.management(connectionId);
		const { text } = await management.exportApp(app);
		return {
			name,
			mode,
			description: '',
			published: true,
			draft: true,
			workflow_id: null,
			file: null,
			variables: startVariablesOf(text, mode),
			error: null,
			updated_at: 0,
		};
	}
}
