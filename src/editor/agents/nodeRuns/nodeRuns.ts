import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { shortId } from '#base/text/shortId.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { runValues } from '#runs/events/runValues.ts';
import { isOver } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import { statusText } from '../../platform/runWording.ts';
import { requireTrust } from '../../platform/trust.ts';
import { agoText, withoutLinks } from '../../platform/wording.ts';
import type { RunPresenter } from '../../runs/following/runPresenter.ts';
import { type FindRun, type MeantNode, meantNode } from './meantNode.ts';
import { typedInputs } from './typedInputs.ts';

export interface NodeRunsParts {
	readonly runs: Runs;
	readonly find: FindRun;
	/** What is told of a run, entry by entry. */
	readonly entries: (key: string) => AsyncIterable<JournalEntry>;
	/** Has the user choose a run in the deployment of the app that a file is of; `undefined` where the file is of none. */
	readonly runsThere: (file: vscode.Uri) => Promise<(() => Promise<string | undefined>) | undefined>;
	readonly presenter: RunPresenter;
	/** The connection to the built-in gateway. */
	readonly gateway: () => Connection;
	/** The agent that an agent file describes; rejects with what is wrong with it. */
	readonly describe: (file: vscode.Uri) => Promise<AgentSummary>;
	/** The agent file of a run of the built-in gateway. */
	readonly fileOf: (record: RunRecord) => Promise<vscode.Uri | undefined>;
	/** Shows a run in the inspector. */
	readonly inspect: (key: string) => unknown;
}

/** Runs a node alone, or an agent from a node on, with what an earlier run has recorded: of an agent file as it stands in the editor. */
export class NodeRuns {
	readonly #parts: NodeRunsParts;

	constructor(parts: NodeRunsParts) {
		this.#parts = parts;
	}

	/** *Run Node*: with the inputs that it had in a run, or with typed ones; its result is shown in the inspector. */
	async runOne(argument: unknown): Promise<RunRecord | undefined> {
		const meant = await this.#meant(argument);
		const from = meant.record ?? (await this.#chooseRun(meant, true));
		if (from === undefined) {
			return undefined;
		}
		const isHere = from !== 'typed' && typeof from !== 'string' && from.connectionId === this.#parts.gateway().id;
		if (isHere) {
			return this.#run(meant, 'only', from, undefined);
		}
		// what ran elsewhere is not known to the gateway: its values go along
		const known = from === 'typed' ? {} : await runValues(this.#parts.entries(typeof from === 'string' ? from : from.key));
		const variables = await typedInputs(meant.document.getText(), meant.graph, meant.node, known);
		return variables && this.#run(meant, 'only', undefined, variables);
	}

	/** *Run from Node*: what comes before keeps its recorded outputs. */
	async runFrom(argument: unknown): Promise<RunRecord | undefined> {
		const meant = await this.#meant(argument);
		const from = meant.record ?? (await this.#chooseRun(meant, false));
		if (from === undefined || typeof from === 'string') {
			return undefined;
		}
		if (from.connectionId !== this.#parts.gateway().id) {
			const sentence = vscode.l10n.t(
				'This run was in Dify: only runs of the built-in gateway go on from a node. Pin its outputs, or run the node alone with them.',
			);
			throw new Problem('run-elsewhere', sentence);
		}
		return this.#run(meant, 'from', from, undefined);
	}

	async #meant(argument: unknown): Promise<MeantNode> {
		requireTrust();
		return meantNode(argument, this.#parts.find, this.#parts.fileOf);
	}

	async #run(
		meant: MeantNode,
		how: PartialRun['how'],
		from: RunRecord | undefined,
		variables: PartialRun['variables'],
	): Promise<RunRecord | undefined> {
		const { presenter, gateway, describe, inspect } = this.#parts;
		const { document, node } = meant;
		if (from && from.runId === undefined) {
			throw new Problem('no-run', vscode.l10n.t('The service never named this run, so that nothing of it can be taken.'));
		}
		const agent = await describe(document.uri);
		const rounds = from ? await roundsOf(meant) : [];
		if (!rounds) {
			return undefined;
		}
		const part: PartialRun = {
			node: node.id,
			how,
			...(from?.runId !== undefined && { run: from.runId }),
			...(rounds.length > 0 && { rounds: [...rounds] }),
			...(variables && { variables }),
		};
		const connection = gateway();
		const request: WorkflowRunRequest = {
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
		const origin = { draft, ...(from && { repeats: from.key }) };
		return presenter.run(connection, request, origin, key => inspect(key));
	}

	/** A run of the agent that the user picks, or the key of one in its deployment; `typed`: they would rather type what the node gets. */
	async #chooseRun({ document, node }: MeantNode, orTyped: boolean): Promise<RunRecord | string | undefined> {
		const agent = path.posix.basename(document.uri.path).replace(/\.ya?ml$/, '');
		const connectionId = this.#parts.gateway().id;
		const ofFile = ({ deploymentDraft, agentFile }: RunRecord) => orTyped && deploymentDraft && agentFile === document.uri.toString();
		const records = this.#parts.runs
			.list()
			.filter(record => (record.connectionId === connectionId && record.agent === agent) || ofFile(record))
			.filter(record => isOver(record) && record.runId !== undefined);
		const items: RunItem[] = records.map(record => ({
			label: `${statusText(record.status)} · ${agoText(record.startedAt)}`,
			description: [shortId(record.runId ?? record.key), ...(record.deploymentDraft ? [vscode.l10n.t('in Dify')] : [])].join(' · '),
			...(record.file && { detail: path.posix.basename(vscode.Uri.parse(record.file).path) }),
			record,
		}));
		const there = orTyped ? await this.#parts.runsThere(document.uri) : undefined;
		if (there) {
			items.push({ label: vscode.l10n.t('A run in Dify…'), iconPath: new vscode.ThemeIcon('cloud'), there });
		}
		if (orTyped) {
			items.push({ label: vscode.l10n.t('Type the inputs…'), iconPath: new vscode.ThemeIcon('edit') });
		}
		if (items.length === 0) {
			throw new Problem('no-run', vscode.l10n.t('{0} was not run yet: run it first, so that there are outputs to begin with.', agent));
		}
		const picked = await vscode.window.showQuickPick(items, {
			title: vscode.l10n.t('Run from {0}', node.title),
			placeHolder: vscode.l10n.t('Run whose values are taken'),
		});
		return picked?.there ? picked.there() : picked && (picked.record ?? 'typed');
	}
}

interface RunItem extends vscode.QuickPickItem {
	readonly record?: RunRecord;
	/** Has a run chosen that is not kept here. */
	readonly there?: () => Promise<string | undefined>;
}

/** Rounds of the containers around a node, from 0: those in which it is looked at, else as the user says; `undefined` where they back out. */
async function roundsOf({ containers, rounds, node }: MeantNode): Promise<readonly number[] | undefined> {
	if (rounds?.length === containers.length) {
		return rounds;
	}
	const chosen: number[] = [];
	for (const { title } of containers) {
		const answer = await vscode.window.showInputBox({
			title: vscode.l10n.t('Run {0}', node.title),
			prompt: withoutLinks(vscode.l10n.t('Round of {0}, from 1', title)),
			value: '1',
			ignoreFocusOut: true,
			validateInput: given => (/^[1-9]\d*$/.test(given.trim()) ? undefined : vscode.l10n.t('Expected a number from 1')),
		});
		if (answer === undefined) {
			return undefined;
		}
		chosen.push(Number(answer) - 1);
	}
	return chosen;
}
