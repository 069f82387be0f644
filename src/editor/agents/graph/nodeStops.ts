import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { ShownStops } from '#pages/graph/picture/graphProtocol.ts';
import { isActive } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { GraphRunParts } from './graphRun.ts';
import type { LivePicture } from './livePicture.ts';
import { PinnedNodes, type PinnedNodesParts } from './pinnedNodes.ts';
import { isFileOfAgent, isRunOfFile } from './runsOfFile.ts';

/**
 * Where debugged runs stop in a file: its nodes with breakpoints, and those where a run stands now; and its nodes that are pinned. Follows the editor, the texts and
 * the runs.
 */
export class NodeStops extends DisposableBase {
	readonly #live: LivePicture;
	readonly #pinned: PinnedNodes;
	readonly #agentFolders: () => readonly string[];
	/** Runs of any agent that stand, by their keys. */
	readonly #standing = new Map<string, RunRecord>();
	readonly #tell: (stops: ShownStops) => void;
	/** What was told last, so that nothing is told twice: a run changes far more often than it stops. */
	#told = '';

	constructor(
		live: LivePicture,
		parts: Pick<GraphRunParts, 'runs' | 'agentFolders'> & PinnedNodesParts,
		tell: (stops: ShownStops) => void,
	) {
		super();
		const { runs } = parts;
		this.#live = live;
		this.#agentFolders = parts.agentFolders;
		this.#pinned = this.own(
			new PinnedNodes(
				() => live.document.uri,
				parts,
				() => this.#changed(),
			),
		);
		this.#tell = tell;
		for (const record of runs.list()) {
			this.#take(record);
		}
		this.own(runs.onDidChange(record => this.#take(record) && this.#changed()));
		this.own(vscode.debug.onDidChangeBreakpoints(() => this.#changed()));
		this.own(live.onDidChange(() => this.#changed()));
	}

	/** Tells all of it, to a page that begins. */
	send(): void {
		this.#pinned.read();
		this.#tellNow();
	}

	#tellNow(): void {
		const stops = this.#now();
		this.#told = JSON.stringify(stops);
		this.#tell(stops);
	}

	/** Whether the run has to do with where runs stand. */
	#take(record: RunRecord): boolean {
		if (record.stands && isActive(record)) {
			this.#standing.set(record.key, record);
			return true;
		}
		return this.#standing.delete(record.key);
	}

	#changed(): void {
		if (JSON.stringify(this.#now()) !== this.#told) {
			this.#tellNow();
		}
	}

	#now(): ShownStops {
		return { breakpoints: this.#breakpoints(), standing: this.#nodesThatStand(), pinned: this.#pinned.nodes };
	}

	/** A node whose block has several breakpoints has one that is enabled where any of them is. */
	#breakpoints(): ShownStops['breakpoints'] {
		const { uri } = this.#live.document;
		const nodes = new Map<string, boolean>();
		for (const each of vscode.debug.breakpoints) {
			if (each instanceof vscode.SourceBreakpoint && each.location.uri.toString() === uri.toString()) {
				const node = this.#live.nodeAt(each.location.range.start);
				if (node !== undefined) {
					nodes.set(node, each.enabled || nodes.get(node) === true);
				}
			}
		}
		return [...nodes].map(([node, enabled]) => ({ node, enabled }));
	}

	#nodesThatStand(): readonly string[] {
		const { uri } = this.#live.document;
		const folders = this.#agentFolders();
		const places = [...this.#standing.values()].flatMap(record =>
			(record.stands?.places ?? []).filter(({ agent }) =>
				agent === undefined ? isRunOfFile(uri, record, folders) : isFileOfAgent(uri, agent, folders),
			),
		);
		return [...new Set(places.map(({ node }) => node))];
	}
}
