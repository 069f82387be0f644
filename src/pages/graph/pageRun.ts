import type { TimelineRow } from '#runs/events/timeline.ts';
import type { RunOverlay } from './graphScene.ts';
import type { FromGraphHost, ShownRun } from './picture/graphProtocol.ts';

/** The run that is shown on the graph, as the host reported it. */
export class PageRun {
	#head: ShownRun | undefined;
	#rows = new Map<string, TimelineRow>();
	#values = new Map<string, string>();

	/** Absent if no run is shown. */
	get head(): ShownRun | undefined {
		return this.#head;
	}

	/** Applies an update. Returns the status of the run if it has just finished. */
	applyUpdate({ head, rows, values, isNew }: Extract<FromGraphHost, { type: 'run' }>): string | undefined {
		if (isNew) {
			this.#rows = new Map();
			this.#values = new Map();
		}
		for (const row of rows) {
			this.#rows.set(row.id, row);
		}
		for (const [node, value] of values) {
			this.#values.set(node, value);
		}
		const ended = this.#head?.live && head && !head.live ? head.status : undefined;
		this.#head = head;
		return ended;
	}

	/** Returns the executions of a node, in the order in which they started. */
	getNodeRows(node: string): readonly TimelineRow[] {
		return [...this.#rows.values()].filter(({ nodeId }) => nodeId === node);
	}

	get overlay(): RunOverlay | undefined {
		const head = this.#head;
		return (
			head && {
				rows: this.#rows.values(),
				values: this.#values,
				live: head.live,
				status: head.status,
				now: () => (head.live ? Date.now() - head.waitedMs : undefined),
			}
		);
	}
}
