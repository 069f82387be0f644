import { html, nothing } from 'lit';
import type { JudgeSummary } from '#suites/judges/judgeAgreement.ts';
import { fill } from '../shared/fill.ts';
import { formatNumber } from '../shared/format.ts';
import type { ReviewStrings } from './reviewStrings.ts';

type Agreement = JudgeSummary['heldOut'];

/** Renders how far judges agree with people: kappa with its interval, and the confusion table, for each half of the labels. */
export function renderAgreement(judges: readonly JudgeSummary[], strings: ReviewStrings): unknown {
	if (judges.length === 0) {
		return html`<p class="dim">${strings.noLabels}</p>`;
	}
	const { columns, halves } = strings;
	return html`<div class="agreement" tabindex="0" role="region" aria-label=${strings.agreement}><table>
		<caption>${strings.agreement}</caption>
		<thead><tr>${Object.values(columns).map((label, at) => html`<th scope="col" class=${at > 1 ? 'figure' : nothing}>${label}</th>`)}</tr></thead>
		<tbody>${judges.flatMap(({ name, heldOut, tuning, people }) => [
			renderRow(name, halves.heldOut, heldOut, strings),
			renderRow(name, halves.tuning, tuning, strings),
			...(people ? [renderRow(name, halves.people, people, strings)] : []),
		])}</tbody>
	</table></div>`;
}

function renderRow(name: string, half: string, { cases, accuracy, kappa, counts }: Agreement, strings: ReviewStrings): unknown {
	const { both, onlyFirst, onlySecond, neither } = counts;
	const range =
		kappa && `${formatKappa(kappa.value)} (${fill(strings.range, formatKappa(kappa.interval.low), formatKappa(kappa.interval.high))})`;
	const figures = [
		formatNumber(cases),
		cases === 0 ? '-' : formatNumber(accuracy, { style: 'percent', maximumFractionDigits: 1 }),
		range ?? '-',
		...[both, onlyFirst, onlySecond, neither].map(count => formatNumber(count)),
	];
	return html`<tr><th scope="row" title=${name}>${name}</th><td>${half}</td>${figures.map(text => html`<td class="figure">${text}</td>`)}</tr>`;
}

const formatKappa = (value: number) => formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
