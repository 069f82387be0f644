import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import type { Suite, SuiteMatrix } from '#suites/suite.ts';
import { estimateMatrix } from '#suites/variants/estimateMatrix.ts';
import { createAgentEdits } from '#suites/variants/prepareVariants.ts';
import { formatList, formatNumber } from '../../platform/format.ts';
import { escapeLinks, formatTokens, toOneLine } from '../../platform/wording.ts';
import { countCases } from '../batches/countCases.ts';
import type { ResultStore } from '../batches/resultStore.ts';
import type { SuiteBatches } from '../batches/suiteBatches.ts';
import type { SuiteFiles } from '../suiteFiles.ts';
import type { SuiteServices } from '../suiteServices.ts';
import { formatCost } from './resultViews.ts';

interface VariantActionsParts {
	readonly files: Pick<SuiteFiles, 'readSuite'>;
	readonly batches: Pick<SuiteBatches, 'start'>;
	readonly store: Pick<ResultStore, 'listFiles'>;
	readonly services: Pick<SuiteServices, 'openService'>;
}

type SuiteWithVariants = Suite & { readonly matrix: SuiteMatrix };

/** Runs the variants of suites, and writes one of them into the agent file. */
export class VariantActions {
	readonly #parts: VariantActionsParts;

	constructor(parts: VariantActionsParts) {
		this.#parts = parts;
	}

	/**
	 * Shows what the variants of a suite will use, and starts them if the user agrees. Returns true if they were started.
	 *
	 * @param onStart called before they start, because a page follows only batches that start while it's open
	 */
	async compareVariants(uri: vscode.Uri, onStart?: () => void): Promise<boolean> {
		const suite = await this.#readSuite(uri);
		const names = suite.matrix.variants.map(({ name }) => name);
		const runs = (await countCases(suite)) * suite.repeat;
		const estimate = await estimateMatrix(suite, names, runs, await this.#parts.store.listFiles(suite.file));
		const start = vscode.l10n.t({ message: 'Start', comment: ['verb: button that starts the runs'] });
		const question = vscode.l10n.t("Compare the variants of '{0}'?", suite.name);
		const detail = [
			vscode.l10n.t('Variants: {0}', formatList(names.map(each => toOneLine(each)))),
			vscode.l10n.t('Runs, at most: {0}', formatNumber(runs * names.length)),
			describeEstimate(estimate),
		].join('\n');
		if ((await vscode.window.showInformationMessage(escapeLinks(question), { modal: true, detail }, start)) !== start) {
			return false;
		}
		onStart?.();
		await this.#parts.batches.start(suite, { matrix: true });
		return true;
	}

	/**
	 * Changes the agent file of a suite to one of its variants, as one edit that can be undone. Doesn't save the document.
	 *
	 * @param fingerprint that of the suite when the results were made, by which the user chose the variant
	 */
	async applyToAgent(uri: vscode.Uri, name: string, fingerprint: string | undefined): Promise<void> {
		const suite = await this.#readSuite(uri);
		const variant = suite.matrix.variants.find(each => each.name === name);
		const { target } = suite.matrix;
		if (!variant) {
			throw new Problem('no-variant', vscode.l10n.t("The suite has no variant '{0}' anymore.", name));
		}
		if (fingerprint !== suite.fingerprint && !(await confirmChangedSuite(name))) {
			return;
		}
		const service = await this.#parts.services.openService(suite);
		const file = target.kind === 'agent' ? findAgent(service.agents ?? [], target.model)?.file : undefined;
		if (!file) {
			throw new Problem('no-agent-file', vscode.l10n.t("The suite's agent has no file in this workspace."));
		}
		const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
		const { version } = document;
		const edits = await createAgentEdits(document.getText(), variant, suite, service.variants, vscode.l10n.t);
		if (document.version !== version) {
			// the offsets of the edits are those of the earlier text
			throw new Problem('changed', vscode.l10n.t("'{0}' has changed meanwhile. Apply the variant again.", path.basename(file)));
		}
		if (edits.length === 0) {
			const message = vscode.l10n.t("'{0}' is already like the variant '{1}'.", path.basename(file), name);
			void vscode.window.showInformationMessage(escapeLinks(message));
			return;
		}
		const edit = new vscode.WorkspaceEdit();
		for (const { offset, length, text } of edits) {
			edit.replace(document.uri, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), text);
		}
		if (!(await vscode.workspace.applyEdit(edit))) {
			throw new Problem('unchanged-agent-file', vscode.l10n.t("Couldn't change '{0}'. It might be read-only.", path.basename(file)));
		}
		const at = document.positionAt(Math.min(...edits.map(({ offset }) => offset)));
		await vscode.window.showTextDocument(document, { preview: false, selection: new vscode.Range(at, at) });
		const done = vscode.l10n.t("Applied '{0}' to '{1}'. Undo takes it back.", name, path.basename(file));
		vscode.window.setStatusBarMessage(done, 5000);
	}

	async #readSuite(uri: vscode.Uri): Promise<SuiteWithVariants> {
		const { suite } = await this.#parts.files.readSuite(uri);
		if (!suite) {
			throw new Problem('wrong-suite', vscode.l10n.t('The suite has errors. Fix the errors listed in Problems first.'));
		}
		if (!suite.matrix) {
			throw new Problem('no-variants', vscode.l10n.t("'{0}' has no variants. Add 'matrix' or 'variants' to the suite.", suite.name));
		}
		return { ...suite, matrix: suite.matrix };
	}
}

/** Asks whether to apply a variant that may have other changes than the one in the results. */
async function confirmChangedSuite(name: string): Promise<boolean> {
	const apply = vscode.l10n.t({ message: 'Apply', comment: ['verb: button that writes a variant into the agent file'] });
	const question = vscode.l10n.t("The suite has changed since these results. Apply '{0}' as it is now?", name);
	return (await vscode.window.showWarningMessage(escapeLinks(question), { modal: true }, apply)) === apply;
}

function describeEstimate(estimate: Awaited<ReturnType<typeof estimateMatrix>>): string {
	if (!estimate) {
		return vscode.l10n.t("The cost isn't known, because there are no earlier results of this suite.");
	}
	const { tokens, cost, currency } = estimate;
	const amounts = [formatTokens(tokens), ...(cost > 0 ? [formatCost(cost, currency)] : [])];
	return vscode.l10n.t({
		message: 'Estimated from earlier runs: {0}',
		args: [amounts.join(' · ')],
		comment: ['{0} is a number of tokens and an amount of money'],
	});
}
