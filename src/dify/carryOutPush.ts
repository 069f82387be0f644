import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { AppImport, ExportedApp } from '#client/dify/management.ts';
import { readApp } from './content/appContent.ts';
import { hashContent } from './content/contentHash.ts';
import { isExportOf } from './content/exportedAs.ts';
import { createArrivedOutcome, createFailedOutcome, formatImportWarning, isImportRefusal, isUncertainFailure } from './importOutcome.ts';
import { getAppName } from './linkMade.ts';
import { isSameApp } from './linkState.ts';
import { planPushToExport } from './pushPlan.ts';
import { SyncFault } from './syncFault.ts';
import type { Backup, PushOrder, PushOutcome, PushPlan, SyncOptions } from './syncTypes.ts';

/**
 * Executes a push plan. First exports the app again and saves that export as a backup. Sends nothing if the app no longer matches the plan
 * or the backup fails. The import is sent only once: if its response is lost, the app's state shows whether it worked. Since 1.18, Dify
 * itself rejects an import if the draft changed after the export. Older releases overwrite such a change.
 * @throws {SyncFault} `changed-there` if changes in Dify would be overwritten without `overwrite`; `disk` if the backup can't be saved
 * @throws {ServiceError} if Dify refuses the account or can't be reached, before anything was changed
 */
export async function carryOutPush(plan: PushPlan, order: PushOrder): Promise<PushOutcome> {
	const { t = fillPlaceholders } = order;
	if (!order.overwrite && (plan.state === 'changed-there' || plan.state === 'changed-both')) {
		throw new SyncFault('changed-there', t('The app in Dify has changed since it was pulled. Pull it first, or choose to overwrite it.'));
	}
	return new Push(plan, order).start();
}

class Push {
	readonly #plan: PushPlan;
	readonly #order: PushOrder;
	#before: ExportedApp;
	#backup: Backup | undefined;

	constructor(plan: PushPlan, order: PushOrder) {
		this.#plan = plan;
		this.#order = order;
		this.#before = plan.there;
	}

	async start(): Promise<PushOutcome> {
		const { link, text } = this.#plan;
		const { management, backups } = this.#order;
		const changed = await this.#checkUnchanged(this.#order);
		if (changed) {
			return changed;
		}
		const { origin, app_id: appId } = link;
		const name = getAppName(readApp(this.#before.text));
		this.#backup = await backups.saveBackup({ origin, appId, name, side: 'there', text: this.#before.text });
		const { draftHash } = this.#before;
		return this.#sendImport(() => management.importApp({ text, appId, ...(draftHash === undefined ? {} : { draftHash }) }), this.#order);
	}

	/**
	 * Exports the app again, so that changes made since the plan aren't overwritten. Layout changes only update the base and aren't reported.
	 */
	async #checkUnchanged(options: SyncOptions): Promise<PushOutcome | undefined> {
		const { link, here } = this.#plan;
		const { management } = this.#order;
		const { t = fillPlaceholders } = options;
		const now = await management.exportApp(link.app_id, {}, { signal: options.signal });
		if (hashContent(now.text, t) !== hashContent(this.#before.text, t)) {
			return {
				kind: 'changed-meanwhile',
				message: t('The app in Dify has changed in the meantime. Nothing was sent.'),
				plan: await planPushToExport({ ...options, management, link, text: here }, now),
			};
		}
		this.#before = now;
		return undefined;
	}

	async #sendImport(send: () => Promise<AppImport>, options: SyncOptions): Promise<PushOutcome> {
		const { t = fillPlaceholders } = options;
		options.signal?.throwIfAborted();
		let answer: AppImport;
		try {
			// ignore cancellation from here on: otherwise the app's state could be checked before Dify has finished the import
			answer = await send();
		} catch (error) {
			if ((error as { code?: string }).code === 'draft_changed') {
				const changed = await this.#checkUnchanged(options);
				const error = t('Dify rejected the push because the draft had changed. Push again.');
				return changed ?? createFailedOutcome({ error, details: [] }, t);
			}
			if (isUncertainFailure(error)) {
				return this.#recoverLostResponse(error as Error, options);
			}
			if (isImportRefusal(error)) {
				return this.#handleRefusal({ error: (error as Error).message, details: [] }, options);
			}
			throw error;
		}
		switch (answer.status) {
			case 'failed':
				return this.#handleRefusal(answer, options);
			case 'pending':
				return {
					kind: 'pending',
					currentVersion: answer.currentVersion,
					importedVersion: answer.importedVersion,
					backup: this.#backup,
					confirm: async (given = {}) => this.#confirmImport(answer.id, { t, ...given }),
				};
			default:
				return this.#completeImport(formatImportWarning(answer, t), false, options);
		}
	}

	async #confirmImport(importId: string, options: SyncOptions): Promise<PushOutcome> {
		const { management } = this.#order;
		const kept = this.#before;
		const changed = await this.#checkUnchanged(options);
		if (changed) {
			return changed;
		}
		if (this.#before.text !== kept.text) {
			const { origin, app_id: appId } = this.#plan.link;
			const name = getAppName(readApp(this.#before.text));
			this.#backup = await this.#order.backups.saveBackup({ origin, appId, name, side: 'there', text: this.#before.text });
		}
		return this.#sendImport(() => management.confirmImport(importId), options);
	}

	/** Checks whether a rejected import changed the app anyway. */
	async #handleRefusal(answer: Pick<AppImport, 'error' | 'details'>, { t = fillPlaceholders }: SyncOptions): Promise<PushOutcome> {
		const outcome = createFailedOutcome(answer, t);
		const now = await this.#order.management.exportApp(this.#plan.link.app_id).catch(() => undefined);
		if (now && isSameApp(readApp(now.text, undefined, t), readApp(this.#before.text, undefined, t))) {
			return outcome;
		}
		const left = now
			? t('The app in Dify changed despite the error. Check it in Dify. A backup of the previous version was saved.')
			: t(
					"Couldn't check whether the app in Dify changed despite the error. Check it in Dify. A backup of the previous version was saved.",
				);
		return { ...outcome, left, backup: this.#backup };
	}

	#completeImport(warning: string | undefined, replyLost: boolean, options: SyncOptions): Promise<PushOutcome> {
		const { link, here, text } = this.#plan;
		return createArrivedOutcome(this.#order.management, { link, here, sent: text, backup: this.#backup, warning, replyLost }, options);
	}

	/**
	 * Finds out from the app's state whether an import worked whose response was lost. Doesn't send it again, and ignores the signal, because
	 * aborting may be why the response was lost.
	 */
	async #recoverLostResponse(cause: Error, { t = fillPlaceholders }: SyncOptions): Promise<PushOutcome> {
		const { link, text } = this.#plan;
		const backup = this.#backup;
		let there: ExportedApp;
		try {
			there = await this.#order.management.exportApp(link.app_id);
		} catch {
			const message = t(
				"The response was lost ({0}), and the app's current state couldn't be checked. Compare the file with Dify before you push again.",
				cause.message,
			);
			return { kind: 'unknown', message, there: undefined, backup };
		}
		const [now, sent, before] = [readApp(there.text, undefined, t), readApp(text, undefined, t), readApp(this.#before.text, undefined, t)];
		if (isSameApp(now, before) && !isSameApp(sent, before)) {
			return { kind: 'not-arrived', message: t("The response was lost ({0}). The app in Dify hasn't changed.", cause.message), backup };
		}
		if (isExportOf(sent, now)) {
			return this.#completeImport(undefined, true, { t });
		}
		const message = t(
			'The response was lost ({0}), and the app in Dify matches neither its previous state nor the file. Compare them before you push again.',
			cause.message,
		);
		return { kind: 'unknown', message, there, backup };
	}
}
