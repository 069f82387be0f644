import * as vscode from 'vscode';
import { type AgentGraph, type GraphNode, readAgentGraph } from '#agentFile/agentGraph.ts';
import { hasPrompt } from '#agentFile/nodeKinds/nodeKinds.ts';
import { Problem } from '#base/problems.ts';
import type { PromptColumn, PromptState } from '#pages/prompt/promptMessages.ts';
import { readRunValues } from '#runs/events/runValues.ts';
import type { AgentsCore } from '../agents/agentsCore.ts';
import { isAgentFile } from '../agents/files/isAgentFile.ts';
import type { ChatPrompt } from '../chat/replies/chatPrompt.ts';
import { getBuiltInConnection } from '../connections/builtInConnection.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { RunsCore } from '../runs/runsCore.ts';
import { createNodePrompt, createSentPrompt, describeTemplate, getNodeModel, type NodeRun } from './nodePrompt.ts';
import { readEndpointSettings } from './promptParameters.ts';
import { findSentPrompt, type SentPrompt } from './sentPrompt.ts';

/** Maximum number of runs to look for the node's last model call in. */
const mostRuns = 10;

/** A node as lenses, menus and pages name it. `key` is the run that is shown, `execution` the execution of the node in it. */
interface NodeArgument {
	readonly uri?: vscode.Uri;
	readonly node?: string;
	readonly key?: string;
	readonly execution?: string;
}

interface OpenerParts {
	readonly connections: Connections;
	readonly runs: RunsCore;
	readonly agents: AgentsCore;
}

/** Collects what a playground shows at first. */
export class PromptOpener {
	readonly #parts: OpenerParts;

	constructor(parts: OpenerParts) {
		this.#parts = parts;
	}

	/** Returns the prompt of a command's argument, or of the node at the cursor, or an empty one. */
	async createState(argument: unknown): Promise<PromptState> {
		if (isChatPrompt(argument)) {
			return createChatState(argument);
		}
		const given = (await this.#parts.agents.resolveArgument(argument)) as NodeArgument | undefined;
		const target = given?.node === undefined ? await this.#findNodeAtCursor() : given;
		return target.node === undefined ? createEmptyState() : this.#createNodeState(target, target.node);
	}

	async #createNodeState({ uri, key, execution }: NodeArgument, id: string): Promise<PromptState> {
		const { runs, agents, connections } = this.#parts;
		const record = key === undefined ? undefined : await runs.reader.findRun(key);
		const file = uri ?? (record && (await agents.findAgentFile(record)));
		const found = file && (await this.#findNode(file, id));
		const isTemplate = found !== undefined && hasPrompt(found.node.type);
		const run = await this.#readRun(id, key, execution, file);
		if (!isTemplate && !run?.sent) {
			throw new Problem('no-prompt', vscode.l10n.t("'{0}' sent no messages to a model in this run.", found?.node.title ?? id));
		}
		const builtIn = getBuiltInConnection(connections);
		const sentOn = (record && connections.get(record.connectionId)) ?? builtIn;
		const model = run?.sent?.model || (found ? getNodeModel(found.node) : '');
		const connection = sentOn.kind === 'dify' ? builtIn : sentOn;
		const columns: PromptColumn[] =
			model === '' ? [] : [{ id: 'node', connectionId: connection.id, connection: connection.name, endpoint: 'messages', model }];
		const title = found?.node.title ?? id;
		// a graph names the run that it shows, but its playground isn't about that run
		const shown = { ...(uri === undefined && key !== undefined && { run: key }), ...(execution !== undefined && { execution }) };
		if (!found || !isTemplate) {
			return { source: { title, ...shown }, prompt: createSentPrompt(run?.sent?.messages ?? []), columns };
		}
		const nodeRun: NodeRun | undefined = run && { sent: run.sent?.messages ?? [], values: run.values };
		return {
			source: { title, file: found.document.uri.toString(), node: id, ...shown, ...describeTemplate(found.node) },
			prompt: createNodePrompt(found.node, found.graph, nodeRun),
			columns: columns.map(column => ({ ...column, model: getNodeModel(found.node) || column.model })),
		};
	}

	async #findNode(
		file: vscode.Uri,
		id: string,
	): Promise<{ readonly document: vscode.TextDocument; readonly graph: AgentGraph; readonly node: GraphNode } | undefined> {
		const document = await vscode.workspace.openTextDocument(file);
		const { readings } = await this.#parts.agents.editing();
		const graph = readAgentGraph((await readings.readDocument(document)).content);
		const node = graph.nodes.find(each => each.id === id);
		return node && { document, graph, node };
	}

	/** Reads a node's messages and the values of a run: the given one, or the last one of the file in which the node called its model. */
	async #readRun(
		node: string,
		key: string | undefined,
		execution: string | undefined,
		file: vscode.Uri | undefined,
	): Promise<{ readonly sent: SentPrompt | undefined; readonly values: NodeRun['values'] } | undefined> {
		const { reader } = this.#parts.runs;
		const keys = key !== undefined ? [key] : file ? await this.#listRuns(file) : [];
		let first: string | undefined;
		for (const each of keys) {
			first ??= each;
			const sent = await findSentPrompt(reader.readEntries(each), node, execution);
			if (sent) {
				return { sent, values: await readRunValues(reader.readEntries(each)) };
			}
		}
		return first === undefined ? undefined : { sent: undefined, values: await readRunValues(reader.readEntries(first)) };
	}

	async #listRuns(file: vscode.Uri): Promise<readonly string[]> {
		const keys: string[] = [];
		for await (const { key } of this.#parts.agents.lastValues.listRuns(file)) {
			if (keys.push(key) === mostRuns) {
				break;
			}
		}
		return keys;
	}

	/** Returns the LLM node at the cursor of an agent file. */
	async #findNodeAtCursor(): Promise<NodeArgument> {
		const editor = vscode.window.activeTextEditor;
		if (!editor || !isAgentFile(editor.document)) {
			return {};
		}
		const { readings } = await this.#parts.agents.editing();
		const { content, blocks } = await readings.readDocument(editor.document);
		const offset = editor.document.offsetAt(editor.selection.active);
		const node = readAgentGraph(content).nodes.find(({ at, type }) => {
			const block = blocks[at];
			return hasPrompt(type) && block && block.start <= offset && offset <= block.end;
		});
		return node ? { uri: editor.document.uri, node: node.id } : {};
	}
}

function isChatPrompt(argument: unknown): argument is ChatPrompt {
	return typeof argument === 'object' && argument !== null && 'turn' in argument && 'messages' in argument;
}

function createChatState({ turn, title, messages, settings, target, answer }: ChatPrompt): PromptState {
	return {
		source: { title: title || vscode.l10n.t('Prompt Playground'), turn },
		prompt: createSentPrompt(messages, target && readEndpointSettings(target.endpoint, settings)),
		columns: target ? [{ id: 'chat', ...target, ...(answer && { answer }) }] : [],
	};
}

function createEmptyState(): PromptState {
	return {
		source: { title: vscode.l10n.t('Prompt Playground') },
		prompt: createSentPrompt([
			{ role: 'system', text: '' },
			{ role: 'user', text: '' },
		]),
		columns: [],
	};
}
