import { l10n, type Uri } from 'vscode';
import { agentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { itemsOf, textOf } from '#base/records/plainValues.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import type { AnsweredService } from '#runs/following/runFollowerParts.ts';
import { parameterVariables } from '#runs/forms/inputFields.ts';
import type { DeploymentDraft } from '#runs/runTypes.ts';
import type { AskOptions, DeploymentDrafts } from '../../runs/following/runServices.ts';
import { questionInput } from '../../runs/following/runServices.ts';
import { requireGraph } from './draftRuns.ts';
import { DraftService } from './draftService.ts';
import { type MeantAppParts, meantApp } from './meantApp.ts';
import { offersDraft } from './refusedDraft.ts';
import { chooseRunThere, keyOfRun } from './runsThere.ts';

/** Drafts of apps, for what follows and shows runs. */
export class Drafts implements DeploymentDrafts {
	readonly #parts: MeantAppParts;

	constructor(parts: MeantAppParts) {
		this.#parts = parts;
	}

	async getService(connectionId: string, draft: DeploymentDraft, { ask = true, known }: AskOptions): Promise<AnsweredService> {
		return new DraftService({
			management: await this.#parts.deployments.management(connectionId, { ask }),
			draft,
			...(known && { known }),
			uploadFile: async (...asked) => (await this.#parts.connections.client(connectionId)).uploadFile(...asked),
		});
	}

	async findLinkedFile(connectionId: string, id: string): Promise<Uri | undefined> {
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
	async describeApp(connectionId: string, { app, mode }: DeploymentDraft, name: string): Promise<AgentSummary> {
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

/** What a run of a draft is given, as the app's file says it: the variables of its start node, and the question to a chatflow. */
function startVariablesOf(text: string, mode: string): AgentVariable[] {
	const start = agentGraph(new AgentText(text).content).nodes.find(({ type }) => type === 'start');
	const declared = itemsOf(start?.data, 'variables').filter(each => typeof each === 'object' && each !== null);
	const form = declared.map(each => ({
		[textOf(each, 'type') || 'text-input']: each as Readonly<Record<string, unknown>> & { variable: string },
	}));
	const variables = parameterVariables({ user_input_form: form })?.variables ?? [];
	const question = { variable: questionInput, label: l10n.t('Question'), type: 'paragraph', required: true };
	return mode === 'advanced-chat' ? [question, ...variables] : [...variables];
}
