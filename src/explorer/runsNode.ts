import * as vscode from 'vscode';
import type { RunRecord } from '../workflows/runTypes.ts';
import { isActive } from './activeRuns.ts';
import type { AgentNode } from './agentNode.ts';
import { MessageNode } from './messageNode.ts';
import { RunNode } from './runNode.ts';
import type { TreeNode } from './treeNode.ts';
import type { TreeStores } from './treeStores.ts';

/** Recent runs shown below an agent; older ones are in *Logs*. */
const shown = 50;

/** Runs of this agent that this editor started: running ones first, then the newest. */
export class RunsNode implements TreeNode {
	readonly id: string;
	readonly parent: AgentNode;
	readonly #stores: TreeStores;
	readonly #nodes = new Map<string, RunNode>();
	/** Keys of the runs that were active when they were last heard of. */
	readonly #active = new Set<string>();

	constructor(parent: AgentNode, stores: TreeStores) {
		this.id = `${parent.id}/runs`;
		this.parent = parent;
		this.#stores = stores;
	}

	item(): vscode.TreeItem {
		const item = new vscode.TreeItem(vscode.l10n.t('Runs'), vscode.TreeItemCollapsibleState.Collapsed);
		const running = this.activeCount();
		item.contextValue = 'runs';
		item.iconPath = new vscode.ThemeIcon('history');
		item.description = running ? vscode.l10n.t('{0} running', running) : '';
		return item;
	}

	children(): readonly TreeNode[] {
		const runs = this.#list();
		const first = [...runs.filter(isActive), ...runs.filter(run => !isActive(run))].slice(0, shown);
		const keys = new Set(first.map(run => run.key));
		for (const key of this.#nodes.keys()) {
			if (!keys.has(key)) {
				this.#nodes.delete(key);
			}
		}
		if (first.length === 0) {
			return [new MessageNode(this, vscode.l10n.t('No runs yet. Open a run file and press Run.'))];
		}
		return first.map(run => {
			const node = this.#nodes.get(run.key) ?? new RunNode(this, run);
			node.run = run;
			this.#nodes.set(run.key, node);
			return node;
		});
	}

	activeCount(): number {
		return this.#list().filter(isActive).length;
	}

	/** Nodes of the runs that go on, as far as they were shown. */
	running(): RunNode[] {
		return [...this.#nodes.values()].filter(node => isActive(node.run));
	}

	/** A run came or changed; returns the nodes that show something else now: all runs where their order changed. */
	runChanged(run: RunRecord): TreeNode[] {
		const node = this.#nodes.get(run.key);
		if (node) {
			node.run = run;
		}
		if (isActive(run) !== this.#active.has(run.key)) {
			if (isActive(run)) {
				this.#active.add(run.key);
			} else {
				this.#active.delete(run.key);
			}
			return [this];
		}
		return node ? [node] : [];
	}

	#list(): readonly RunRecord[] {
		return this.#stores.runs.list({ connectionId: this.parent.parent.connectionId, agent: this.parent.summary.name });
	}
}
