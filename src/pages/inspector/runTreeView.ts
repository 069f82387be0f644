import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import { formatPrice } from '#runs/events/priceText.ts';
import type { RunCosts } from '#runs/events/runCosts.ts';
import { fill } from '../shared/fill.ts';
import { formatMoment } from '../shared/format.ts';
import { getStatusIconClasses } from '../shared/statusIcon.ts';
import type { InspectorHead, ShownTreeRun } from './inspectorMessages.ts';
import type { InspectorStrings } from './inspectorStrings.ts';

/** Renders the tree of forks that a run belongs to, with a button for each other run. */
export function renderRunTree({ key, tree }: InspectorHead, strings: InspectorStrings, show: (key: string) => void): unknown {
	if (!tree) {
		return nothing;
	}
	const renderRun = (run: ShownTreeRun) => {
		const facts = [
			getOwnField(strings.statuses, run.status) ?? run.status,
			...(run.fork ? [fill(strings.forkedFrom, run.fork.node), run.fork.changes || strings.unchanged] : []),
			...formatCosts(run.costs, strings),
			formatMoment(run.startedAt),
		];
		return html`<li style="--depth: ${run.depth}">
			<button type="button" class="treeRun" aria-current=${run.key === key ? 'true' : nothing} @click=${() => show(run.key)}>
				<span class=${getStatusIconClasses(run.status)} aria-hidden="true"></span>
				<code>${run.id}</code>
				<span class="dim">${facts.join(' · ')}</span>
			</button>
		</li>`;
	};
	return html`<details class="runTree" open>
		<summary>${strings.tree}</summary>
		<ol>${tree.map(renderRun)}</ol>
	</details>`;
}

/** Returns what a run paid and saved, as texts; nothing if unknown. */
export function formatCosts(costs: RunCosts | undefined, strings: InspectorStrings): readonly string[] {
	return costs
		? [formatPrice(costs.paid, costs.currency), ...(costs.saved > 0 ? [fill(strings.saved, formatPrice(costs.saved, costs.currency))] : [])]
		: [];
}
