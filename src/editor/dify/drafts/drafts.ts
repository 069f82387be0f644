import { l10n, type Uri } from 'vscode';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { getFieldText, getItems } from '#base/records/plainValues.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import type { AnsweredService } from '#runs/following/runFollowerParts.ts';
import { readParameterVariables } from '#runs/forms/inputFields.ts';
import type { DeploymentDraft } from '#runs/runTypes.ts';
import type { AskOptions, DeploymentDrafts } from '../../runs/following/runServices.ts';
import { questionInput } from '../../runs/following/runServices.ts';
import { requireGraphApp } from './draftRuns.ts';
import { DraftService } from './draftService.ts';
import { checkDraftSupport } from './refusedDraft.ts';
import { chooseManagedRun, getRunKey } from './runsThere.ts';
import { chooseTargetApp, type TargetAppParts } from './targetApp.ts';

/** Provides drafts of apps to features that follow and show runs. */
export class Drafts implements DeploymentDrafts {
	readonly #parts: TargetAppParts;

	constructor(parts: TargetAppParts) {
		this.#parts = parts;
	}

	async getService(connectionId: string, draft: DeploymentDraft, { ask = true, known }: AskOptions): Promise<AnsweredService> {
		return new DraftService({
			management: await this.#parts.deployments.getManagement(connectionId, { ask }),
			draft,
			...(known && { known }),
			uploadFile: async (...asked) => (await this.#parts.connections.getClient(connectionId)).uploadFile(...asked),
		});
	}

	async findLinkedFile(connectionId: string, id: string): Promise<Uri | undefined> {
		const app = { id, name: '', description: '', mode: '', updatedAt: undefined };
		return this.#parts.links.getLink({ connectionId, app })?.uri;
	}

	chooseRun(file: Uri): Promise<string | undefined> {
		return this.chooseRunOfArgument(file);
	}

	/** Asks the user to select a run of the app that a command is called for. Resolves to the run's key. */
	async chooseRunOfArgument(argument: unknown): Promise<string | undefined> {
		const { connections, deployments } = this.#parts;
		const app = await chooseTargetApp(this.#parts, argument);
		if (!app) {
			return undefined;
		}
		requireGraphApp(app);
		const management = await deployments.getManagement(app.connectionId);
		if (!(await checkDraftSupport(management, ['runs', 'run', 'runNodes'], app, connections))) {
			return undefined;
		}
		const run = await chooseManagedRun(management, app);
		return run && getRunKey(app, run);
	}

	/** Reads the current draft and returns its summary. */
	async describeApp(connectionId: string, { app, mode }: DeploymentDraft, name: string): Promise<AgentSummary> {
		const management = await this.#parts.deployments.getManagement(connectionId);
		const { text } = await management.exportApp(app);
		return {
			name,
			mode,
			description: '',
			published: true,
			draft: true,
			workflow_id: null,
			file: null,
			variables: readStartVariables(text, mode),
			error: null,
			updated_at: 0,
		};
	}
}

/** Returns the inputs of a draft: the variables of its start node, and the question to a chatflow. */
function readStartVariables(text: string, mode: string): AgentVariable[] {
	const start = readAgentGraph(new AgentText(text).content).nodes.find(({ type }) => type === 'start');
	const declared = getItems(start?.data, 'variables').filter(each => typeof each === 'object' && each !== null);
	const form = declared.map(each => ({
		[getFieldText(each, 'type') || 'text-input']: each as Readonly<Record<string, unknown>> & { variable: string },
	}));
	const variables = readParameterVariables({ user_input_form: form })?.variables ?? [];
	const question = { variable: questionInput, label: l10n.t('Question'), type: 'paragraph', required: true };
	return mode === 'advanced-chat' ? [question, ...variables] : [...variables];
}
