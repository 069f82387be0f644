import * as vscode from 'vscode';
import { isRecord } from '#base/records/plainValues.ts';
import type { PriceRule } from '#contract/text/modelPrices.ts';

/** Returns the user's prices of models. Skips invalid entries, which the settings editor marks. */
export function readPriceSettings(): readonly PriceRule[] {
	const rules = vscode.workspace.getConfiguration('agentWorkbench.gateway').get<unknown>('prices');
	return (Array.isArray(rules) ? rules : []).flatMap(toPriceRule);
}

function toPriceRule(value: unknown): PriceRule[] {
	const { model, input, output, cached, currency = 'USD' } = isRecord(value) ? value : {};
	const isPrice = (amount: unknown) => typeof amount === 'number' && Number.isFinite(amount) && amount >= 0;
	if (typeof model !== 'string' || typeof currency !== 'string' || !isPrice(input) || !isPrice(output)) {
		return [];
	}
	return [{ model, input: Number(input), output: Number(output), ...(isPrice(cached) && { cached: Number(cached) }), currency }];
}
