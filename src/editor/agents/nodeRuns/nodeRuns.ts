import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentGraph } from '#agentFile/agentGraph.ts';
import { Problem } from '#base/problems.ts';
import { shortenId } from '#base/text/shortId.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { readRunValues } from '#runs/events/runValues.ts';
import { isRunOver } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import { getStatusText } from '../../platform/runWording.ts';
import { requireTrust } from '../../platform/trust.ts';
import { escapeLinks, formatRelativeTime } from '../../platform/wording.ts';
import type { RunPresenter } from '../../runs/following/runPresenter.ts';
import type { RunStart } from '../../runs/following/storedRequests.ts';
import { askForFork } from './forkDialog.ts';
import { type FindRun, type ResolvedNode, resolveNode } from './resolveNode.ts';
import { confirmSideEffects } from './sideEffects.ts';
import { askForNodeInputs } from './typedInputs.ts';

export interface NodeRunsParts {
	readonly runs: Runs;
	readonly find: FindRun;
	/** Reads a run entry by entry. */
	readonly readEntries: (key: string) => AsyncIterable<JournalEntry>;
	/** Returns a function that lets the user choose a run on the linked app's Dify deployment, or `undefined` if the file isn't linked. */
	readonly findDifyRunChooser: (file: vscode.Uri) => Promise<(() => Promise<string | undefined>) | undefined>;
	/** Returns the number of a run's replies that the built-in gateway keeps for forks; `undefined` if none. Rejects if it isn't reachable. */
	readonly countKeptReplies: (record: RunRecord) => Promise<number | undefined>;
	/** Returns how a run was started. May ask the user for secrets, and rejects if the user cancels. */
	readonly readStart: (record: RunRecord) => Promise<RunStart>;
	readonly presenter: RunPresenter;
	/** Returns the connection of the built-in gateway. */
	readonly getGateway: () => Connection;
	/** Describes the agent of a file. Rejects with the first error if the file isn't valid. */
	readonly describe: (file: vscode.Uri) => Promise<AgentSummary>;
	/** Returns the agent file of a run of the built-in gateway. */
	readonly findAgentFile: (record: RunRecord) => Promise<vscode.Uri | undefined>;
	/** Opens a run in the inspector. */
	readonly inspect: (key: string) => unknown;
}

/** Runs a single node in the current text of an agent file, or everything from a node on, with values recorded by an earlier run. */
export class NodeRuns {
	readonly #parts: NodeRunsParts;

	constructor(parts: NodeRunsParts) {
		this.#parts = parts;
	}

	/** *Run Node*: runs one node with inputs from a run or from the user, and shows the result in the inspector. */
	async runNode(argument: unknown): Promise<RunRecord | undefined> {
		const meant = await this.#resolveTarget(argument);
		const from = meant.record ?? (await this.#chooseRun(meant, true));
		if (from === undefined) {
			return undefined;
		}
		const isHere = from !== 'typed' && typeof from !== 'string' && from.connectionId === this.#parts.getGateway().id;
		if (isHere) {
			return this.#startRun(meant, 'only', from);
		}
		// send the values along, because the gateway doesn't have those of runs elsewhere
		const known = from === 'typed' ? {} : await readRunValues(this.#parts.readEntries(typeof from === 'string' ? from : from.key));
		const variables = await askForNodeInputs(meant.document.getText(), meant.graph, meant.node, known);
		return variables && this.#startRun(meant, 'only', undefined, { variables });
	}

	/**
	 * *Fork from Here*: runs a node and those after it again, with values that the user may change. The nodes before it keep their recorded
	 * outputs.
	 */
	async forkFromNode(argument: unknown): Promise<RunRecord | undefined> {
		const meant = await this.#resolveTarget(argument);
		const from = meant.record ?? (await this.#chooseRun(meant, false));
		if (from === undefined || typeof from === 'string') {
			return undefined;
		}
		if (from.connectionId !== this.#parts.getGateway().id) {
			const message = vscode.l10n.t("Runs in Dify can't be forked. Pin the node's outputs, or run only that node.");
			throw new Problem('run-elsewhere', message);
		}
		const [known, keptReplies] = await Promise.all([
			readRunValues(this.#parts.readEntries(from.key)),
			this.#parts.countKeptReplies(from).catch(() => undefined),
		]);
		const choice = await askForFork({ text: meant.document.getText(), graph: meant.graph, node: meant.node, known, keptReplies });
		const mayReuse = choice?.replies !== false && (keptReplies ?? 0) > 0;
		const effects = choice && (await confirmSideEffects(meant.graph, [meant.node.id], mayReuse));
		return effects && this.#startRun(meant, 'from', from, { ...choice, ...(effects === 'recorded' && { side_effects: effects }) });
	}

	async #resolveTarget(argument: unknown): Promise<ResolvedNode> {
		requireTrust();
		return resolveNode(argument, this.#parts.find, this.#parts.findAgentFile);
	}

	async #startRun(
		meant: ResolvedNode,
		how: PartialRun['how'],
		from: RunRecord | undefined,
		choice: Pick<PartialRun, 'variables' | 'replies' | 'side_effects'> = {},
	): Promise<RunRecord | undefined> {
		const { presenter, getGateway, describe, inspect, readStart } = this.#parts;
		const { document, node } = meant;
		if (from && from.runId === undefined) {
			throw new Problem('no-run', vscode.l10n.t("Can't use values from this run because the service didn't report its ID."));
		}
		const agent = await describe(document.uri);
		const rounds = from ? await askForIterations(meant) : [];
		if (!rounds) {
			return undefined;
		}
		const part: PartialRun = {
			node: node.id,
			how,
			...(from?.runId !== undefined && { run: from.runId }),
			...(rounds.length > 0 && { rounds: [...rounds] }),
			...choice,
		};
		const connection = getGateway();
		// the gateway uses the recorded values, which can contain secrets of that run
		const start = from && (await readStart(from));
		const request: WorkflowRunRequest = {
			// nodes after this one stay mocked, and a single node isn't
			...(how === 'from' && start ? pickExistingNodes(start.request, meant.graph) : {}),
			model: agent.name,
			inputs: {},
			response_mode: 'streaming',
			user: from?.user ?? connection.user,
			part,
		};
		const source = document.getText();
		const draft = {
			agentFile: document.uri.toString(),
			stream: (service, sent, options) => service.streamDraft({ ...sent, source }, options),
		} satisfies NonNullable<Parameters<RunPresenter['run']>[2]>['draft'];
		const forkedAt = how === 'from' ? { forkedAt: node.title } : {};
		const origin = { draft, ...forkedAt, ...(from && { repeats: from.key, secrets: start?.secrets ?? new Map() }) };
		return presenter.run(connection, request, origin, key => inspect(key));
	}

	/**
	 * Lets the user pick a run of the agent. Returns its record, its key if it's on a Dify deployment, or `typed` if the user wants to enter
	 * inputs.
	 */
	async #chooseRun({ document, node }: ResolvedNode, orTyped: boolean): Promise<RunRecord | string | undefined> {
		const agent = path.posix.basename(document.uri.path).replace(/\.ya?ml$/, '');
		const connectionId = this.#parts.getGateway().id;
		const isDraftOfFile = ({ deploymentDraft, agentFile }: RunRecord) =>
			orTyped && deploymentDraft && agentFile === document.uri.toString();
		const records = this.#parts.runs
			.list()
			.filter(record => (record.connectionId === connectionId && record.agent === agent) || isDraftOfFile(record))
			.filter(record => isRunOver(record) && record.runId !== undefined);
		const items: RunItem[] = records.map(record => ({
			label: `${getStatusText(record.status)} · ${formatRelativeTime(record.startedAt)}`,
			description: [
				shortenId(record.runId ?? record.key),
				...(record.deploymentDraft
					? [vscode.l10n.t({ message: 'in Dify', comment: ['description of a run: it runs in Dify, not on this machine'] })]
					: []),
			].join(' · '),
			...(record.file && { detail: path.posix.basename(vscode.Uri.parse(record.file).path) }),
			record,
		}));
		const there = orTyped ? await this.#parts.findDifyRunChooser(document.uri) : undefined;
		if (there) {
			items.push({ label: vscode.l10n.t('Select a run in Dify…'), iconPath: new vscode.ThemeIcon('cloud'), choose: there });
		}
		if (orTyped) {
			items.push({ label: vscode.l10n.t('Enter inputs…'), iconPath: new vscode.ThemeIcon('edit') });
		}
		if (items.length === 0) {
			throw new Problem('no-run', vscode.l10n.t("'{0}' hasn't run yet. Run it once to get outputs to start from.", agent));
		}
		const picked = await vscode.window.showQuickPick(items, {
			title: vscode.l10n.t("Run from '{0}'", node.title),
			placeHolder: vscode.l10n.t('Select a run to use values from'),
		});
		return picked?.choose ? picked.choose() : picked && (picked.record ?? 'typed');
	}
}

interface RunItem extends vscode.QuickPickItem {
	readonly record?: RunRecord;
	/** Lets the user choose a run that is stored on a Dify deployment. */
	readonly choose?: () => Promise<string | undefined>;
}

/**
 * Returns an iteration index (from 0) for each container around a node: the shown ones, or those that the user enters. `undefined` on
 * cancel.
 */
async function askForIterations({ containers, rounds, node }: ResolvedNode): Promise<readonly number[] | undefined> {
	if (rounds?.length === containers.length) {
		return rounds;
	}
	const chosen: number[] = [];
	for (const { title } of containers) {
		const answer = await vscode.window.showInputBox({
			title: vscode.l10n.t("Run '{0}'", node.title),
			prompt: escapeLinks(vscode.l10n.t("Iteration of '{0}' to use, starting at 1", title)),
			value: '1',
			ignoreFocusOut: true,
			validateInput: given => (/^[1-9]\d*$/.test(given.trim()) ? undefined : vscode.l10n.t('Enter a whole number of at least 1.')),
		});
		if (answer === undefined) {
			return undefined;
		}
		chosen.push(Number(answer) - 1);
	}
	return chosen;
}

/** Returns how a run was started, without nodes that the edited file no longer has. */
export function pickExistingNodes({ trigger, mocks = {} }: RunStart['request'], { nodes }: AgentGraph): RunStart['request'] {
	const ids = new Set(nodes.map(({ id }) => id));
	const known = Object.entries(mocks).filter(([id]) => ids.has(id));
	return {
		...(trigger !== undefined && ids.has(trigger) && { trigger }),
		...(known.length > 0 && { mocks: Object.fromEntries(known) }),
	};
}
