import * as vscode from 'vscode';
import { AgentsTree } from '#editor/explorer/agentsTree.ts';
import { AgentFileList } from '#editor/explorer/lists/agentFileList.ts';
import type { TreeNode } from '#editor/explorer/nodes/treeNode.ts';
import { RunFileIndex } from '#editor/runs/files/runFileIndex.ts';
import type { FindRuns, RunRecord, Runs } from '#runs/runTypes.ts';
import type { ConnectionsUnderTest } from './connectionsUnderTest.ts';
import { PlayedDeployments } from './playedDeployments.ts';

/** Runs created by a test. */
export class PlayedRuns implements Runs {
	readonly #changed = new vscode.EventEmitter<RunRecord>();
	readonly #removed = new vscode.EventEmitter<readonly string[]>();
	readonly onDidChange = this.#changed.event;
	readonly onDidRemove = this.#removed.event;
	readonly #records = new Map<string, RunRecord>();

	set(record: Partial<RunRecord> & Pick<RunRecord, 'key'>): void {
		const before = this.#records.get(record.key);
		const fallback = {
			connectionId: 'built-in',
			agent: 'summarize',
			user: 'ana',
			mode: 'streaming',
			startedAt: Date.now(),
			status: 'running',
		} as const;
		const whole: RunRecord = { ...(before ?? fallback), ...record };
		this.#records.set(whole.key, whole);
		this.#changed.fire(whole);
	}
	list(filter: Partial<RunRecord> = {}): readonly RunRecord[] {
		const wanted = Object.entries(filter) as [keyof RunRecord, unknown][];
		return [...this.#records.values()].filter(record => wanted.every(([field, value]) => record[field] === value)).reverse();
	}
	get(key: string): RunRecord | undefined {
		return this.#records.get(key);
	}
}

/** A row of the view. */
export interface Row {
	readonly label: string;
	readonly description: string;
	readonly context: string;
	readonly item: vscode.TreeItem;
	readonly node: TreeNode;
}

/** The tree of a window's connections, read the way the view does. */
export class TreeUnderTest {
	readonly runs = new PlayedRuns();
	readonly runFiles = new RunFileIndex();
	readonly dify = new PlayedDeployments();
	/** Finds runs whose error contains the text. */
	readonly findRuns: FindRuns = async (records, text) =>
		new Set(records.filter(({ error }) => error?.includes(text)).map(({ key }) => key));
	/** Absolute paths of the agents folders. */
	agentFolders: readonly string[] = [];
	readonly #agentFiles = new AgentFileList(() => this.agentFolders);
	readonly tree: AgentsTree;
	/** IDs of the nodes that were refreshed; `undefined` for the whole tree. */
	readonly refreshed: (string | undefined)[] = [];

	constructor(window: ConnectionsUnderTest) {
		const { runs, findRuns, runFiles, dify } = this;
		const stores = { connections: window.registry, runs, findRuns, runFiles, dify, agentFiles: this.#agentFiles };
		this.tree = new AgentsTree({ ...stores, onChange: node => this.tree.refreshNodes(node) }, window.log.channel);
		this.tree.onDidChangeTreeData(nodes => this.refreshed.push(...(nodes ? nodes.map(node => node.id) : [undefined])));
	}

	/** Returns the rows under a path of labels, or the roots if there is none. */
	async readRows(...labels: string[]): Promise<Row[]> {
		let rows = (await this.tree.getChildren()).map(node => this.#toRow(node));
		for (const label of labels) {
			const row = rows.find(each => each.label === label);
			if (!row) {
				throw new Error(`No “${label}” among ${rows.map(each => each.label).join(', ')}`);
			}
			rows = (await this.tree.getChildren(row.node)).map(node => this.#toRow(node));
		}
		return rows;
	}

	async findRow(...labels: string[]): Promise<Row> {
		const row = (await this.readRows(...labels.slice(0, -1))).find(each => each.label === labels.at(-1));
		if (!row) {
			throw new Error(`No “${labels.at(-1)}”`);
		}
		return row;
	}

	/** Resolves with the next refreshed nodes. */
	waitForRefresh(): Promise<readonly string[]> {
		return new Promise(resolve => {
			const listener = this.tree.onDidChangeTreeData(nodes => {
				listener.dispose();
				resolve((nodes ?? []).map(node => node.id));
			});
		});
	}

	dispose(): void {
		this.tree.dispose();
		this.runFiles.dispose();
	}

	#toRow(node: TreeNode): Row {
		const item = this.tree.getTreeItem(node);
		const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
		return { label, description: String(item.description ?? ''), context: item.contextValue ?? '', item, node };
	}
}
