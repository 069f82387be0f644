import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { ShownStops } from '#pages/graph/picture/graphProtocol.ts';
import { isRunActive } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { GraphRunParts } from './graphRun.ts';
import type { LivePicture } from './livePicture.ts';
import { PinnedNodes, type PinnedNodesParts } from './pinnedNodes.ts';
import { isFileOfAgent, isRunOfFile } from './runsOfFile.ts';

/** Tracks which nodes of a file have breakpoints, are pinned, or are where a debugged run is paused. */
export class NodeStops extends DisposableBase {
	readonly #live: LivePicture;
	readonly #pinned: PinnedNodes;
	readonly #agentFolders: () => readonly string[];
	/** Paused runs of any agent by key. */
	readonly #paused = new Map<string, RunRecord>();
	readonly #post: (stops: ShownStops) => void;
	/** Last sent state as JSON, to skip unchanged states: runs change far more often than they pause. */
	#sent = '';

	constructor(
		live: LivePicture,
		parts: Pick<GraphRunParts, 'runs' | 'agentFolders'> & PinnedNodesParts,
		tell: (stops: ShownStops) => void,
	) {
		super();
		const { runs } = parts;
		this.#live = live;
		this.#agentFolders = parts.agentFolders;
		this.#pinned = this.register(
			new PinnedNodes(
				() => live.document.uri,
				parts,
				() => this.#sendChangedStops(),
			),
		);
		this.#post = tell;
		for (const record of runs.list()) {
			this.#updatePausedRuns(record);
		}
		this.register(runs.onDidChange(record => this.#updatePausedRuns(record) && this.#sendChangedStops()));
		this.register(vscode.debug.onDidChangeBreakpoints(() => this.#sendChangedStops()));
		this.register(live.onDidChange(() => this.#sendChangedStops()));
	}

	/** Sends the state to a page that has just loaded. */
	send(): void {
		this.#pinned.updateNodes();
		this.#sendCurrentStops();
	}

	#sendCurrentStops(): void {
		const stops = this.#collectStops();
		this.#sent = JSON.stringify(stops);
		this.#post(stops);
	}

	/** Updates the paused runs. Returns true if this run is or was one of them. */
	#updatePausedRuns(record: RunRecord): boolean {
		if (record.stands && isRunActive(record)) {
			this.#paused.set(record.key, record);
			return true;
		}
		return this.#paused.delete(record.key);
	}

	#sendChangedStops(): void {
		if (JSON.stringify(this.#collectStops()) !== this.#sent) {
			this.#sendCurrentStops();
		}
	}

	#collectStops(): ShownStops {
		return {
			breakpoints: this.#listBreakpoints(),
			pausedAt: this.#listNodes('places'),
			ranLater: this.#listNodes('later'),
			pinned: this.#pinned.nodes,
		};
	}

	/** Lists the nodes with breakpoints. A node counts as enabled if at least one breakpoint in its block is enabled. */
	#listBreakpoints(): ShownStops['breakpoints'] {
		const { uri } = this.#live.document;
		const nodes = new Map<string, boolean>();
		for (const each of vscode.debug.breakpoints) {
			if (each instanceof vscode.SourceBreakpoint && each.location.uri.toString() === uri.toString()) {
				const node = this.#live.findNodeAt(each.location.range.start);
				if (node !== undefined) {
					nodes.set(node, each.enabled || nodes.get(node) === true);
				}
			}
		}
		return [...nodes].map(([node, enabled]) => ({ node, enabled }));
	}

	/** Lists the nodes of this file at which runs are paused, or that ran later than the step that a debugger shows. */
	#listNodes(field: 'places' | 'later'): readonly string[] {
		const { uri } = this.#live.document;
		const folders = this.#agentFolders();
		const places = [...this.#paused.values()].flatMap(record =>
			(record.stands?.[field] ?? []).filter(({ agent }) =>
				agent === undefined ? isRunOfFile(uri, record, folders) : isFileOfAgent(uri, agent, folders),
			),
		);
		return [...new Set(places.map(({ node }) => node))];
	}
}
