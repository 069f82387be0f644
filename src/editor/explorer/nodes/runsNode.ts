import * as vscode from 'vscode';
import { isRunActive, isRunOver, isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { joinParts } from '../../platform/runWording.ts';
import type { TreeStores } from '../treeStores.ts';
import type { AgentTreeNode } from './agentNode.ts';
import { MessageNode } from './messageNode.ts';
import { RunNode } from './runNode.ts';
import type { TreeNode } from './treeNode.ts';

/** Maximum number of runs to show under an agent. Older runs are listed under *Logs*. */
const shown = 50;

/** The runs of an agent that this editor started: paused ones first, then active ones, then the newest. */
export class RunsNode implements TreeNode {
	readonly id: string;
	readonly parent: AgentTreeNode;
	readonly #stores: TreeStores;
	readonly #nodes = new Map<string, RunNode>();
	/** Last known state of the unfinished runs, by run key. */
	readonly #going = new Map<string, 'active' | 'paused'>();
	#filter = '';
	/** For each finished run, by key: true if it matches the filter. */
	readonly #fits = new Map<string, boolean>();

	constructor(parent: AgentTreeNode, stores: TreeStores) {
		this.id = `${parent.id}/runs`;
		this.parent = parent;
		this.#stores = stores;
	}

	createTreeItem(): vscode.TreeItem {
		const item = new vscode.TreeItem(vscode.l10n.t('Runs'), vscode.TreeItemCollapsibleState.Collapsed);
		const running = this.countActiveRuns();
		item.contextValue = this.#filter === '' ? 'runs' : 'runs.filtered';
		item.iconPath = new vscode.ThemeIcon(this.#filter === '' ? 'history' : 'filter-filled');
		const waiting = this.countPausedRuns();
		item.description = joinParts(
			this.#filter === '' ? '' : `'${this.#filter}'`,
			waiting ? vscode.l10n.t({ message: '{0} waiting for input', args: [waiting], comment: ['{0} is a number of runs'] }) : '',
			running ? vscode.l10n.t({ message: '{0} running', args: [running], comment: ['{0} is a number of runs'] }) : '',
		);
		return item;
	}

	/** A text that the shown runs must contain. Empty to show all runs. */
	get filter(): string {
		return this.#filter;
	}

	setFilter(text: string): void {
		this.#filter = text.trim();
		this.#fits.clear();
		this.#stores.onChange(this);
	}

	async getChildren(): Promise<readonly TreeNode[]> {
		const runs = this.#filter === '' ? this.#listRuns() : await this.#findMatchingRuns();
		const first = [...runs.filter(isRunPaused), ...runs.filter(isRunActive), ...runs.filter(isRunOver)].slice(0, shown);
		const keys = new Set(first.map(run => run.key));
		for (const key of this.#nodes.keys()) {
			if (!keys.has(key)) {
				this.#nodes.delete(key);
			}
		}
		if (first.length === 0 && this.#filter !== '') {
			const command = 'agentWorkbench.runs.clearFilter';
			return [
				new MessageNode(this, vscode.l10n.t('No matching runs'), { title: vscode.l10n.t('Clear filter'), command, arguments: [this] }),
			];
		}
		if (first.length === 0) {
			return [new MessageNode(this, vscode.l10n.t('No runs yet. Open a run file and select Run.'))];
		}
		return first.map(run => {
			const node = this.#nodes.get(run.key) ?? new RunNode(this, run);
			node.run = run;
			this.#nodes.set(run.key, node);
			return node;
		});
	}

	countActiveRuns(): number {
		return this.#listRuns().filter(isRunActive).length;
	}

	countPausedRuns(): number {
		return this.#listRuns().filter(isRunPaused).length;
	}

	/** Returns the nodes of all or only active runs, if they have been shown. */
	getRunNodes(all: boolean): RunNode[] {
		return [...this.#nodes.values()].filter(node => all || isRunActive(node.run));
	}

	/** Handles a new or changed run. Returns the nodes to refresh, or this node if the order of runs has changed. */
	onRunChange(run: RunRecord): TreeNode[] {
		const node = this.#nodes.get(run.key);
		if (node) {
			node.run = run;
		}
		const going = isRunActive(run) ? 'active' : isRunPaused(run) ? 'paused' : undefined;
		if (going !== this.#going.get(run.key)) {
			if (going) {
				this.#going.set(run.key, going);
			} else {
				this.#going.delete(run.key);
			}
			return [this];
		}
		return node ? [node] : [];
	}

	/** Returns the runs that match the filter. Includes unfinished runs, because their outputs aren't known yet. */
	async #findMatchingRuns(): Promise<readonly RunRecord[]> {
		const [filter, runs] = [this.#filter, this.#listRuns()];
		const unknown = runs.filter(run => isRunOver(run) && !this.#fits.has(run.key));
		const found = unknown.length > 0 ? await this.#stores.findRuns(unknown, filter) : new Set<string>();
		if (filter === this.#filter) {
			for (const { key } of unknown) {
				this.#fits.set(key, found.has(key));
			}
		}
		return runs.filter(run => !isRunOver(run) || this.#fits.get(run.key));
	}

	#listRuns(): readonly RunRecord[] {
		return this.#stores.runs.list({ connectionId: this.parent.connectionId, agent: this.parent.summary.name });
	}
}
