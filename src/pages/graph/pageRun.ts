import type { TimelineRow } from '#runs/events/timeline.ts';
import type { RunOverlay } from './graphScene.ts';
import type { FromGraphHost, ShownRun } from './picture/graphProtocol.ts';

/** The run that is shown on the graph, as the host reported it. */
export class PageRun {
	#head: ShownRun | undefined;
	#rows = new Map<string, TimelineRow>();

	/** Absent if no run is shown. */
	get head(): ShownRun | undefined {
		return this.#head;
	}

	/** Applies an update. Returns the status of the run if it has just finished. */
	applyUpdate({ head, rows, isNew }: Extract<FromGraphHost, { type: 'run' }>): string | undefined {
		if (isNew) {
			this.#rows = new Map();
		}
		for (const row of rows) {
			this.#rows.set(row.id, row);
		}
		const ended = this.#head?.live && head && !head.live ? head.status : undefined;
		this.#head = head;
		return ended;
	}

	get overlay(): RunOverlay | undefined {
		const head = this.#head;
		return (
			head && {
				rows: this.#rows.values(),
				live: head.live,
				status: head.status,
				now: () => (head.live ? Date.now() - head.waitedMs : undefined),
			}
		);
	}
}
