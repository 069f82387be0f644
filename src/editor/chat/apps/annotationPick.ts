import * as vscode from 'vscode';
import { cutText } from '#base/text/cutText.ts';
import type { AppFeatures } from '#client/appFeatures.ts';
import type { Annotation } from '#contract/dify/appFeatures.ts';

/** Maximum number of annotations in the list. */
const mostAnnotations = 500;

/** Lets the user pick one of an app's annotations to edit. The list can also delete them. Returns `undefined` if the user cancels. */
export async function pickAnnotation(app: AppFeatures, name: string): Promise<Annotation | undefined> {
	for (;;) {
		const picked = await showAnnotationList(await readAnnotations(app), name);
		if (!picked?.deletes) {
			return picked?.annotation;
		}
		await deleteAnnotation(app, picked.annotation);
	}
}

interface Picked {
	readonly annotation: Annotation;
	readonly deletes: boolean;
}

type Item = vscode.QuickPickItem & { readonly annotation: Annotation };

function showAnnotationList(annotations: readonly Annotation[], name: string): Promise<Picked | undefined> {
	const box = vscode.window.createQuickPick<Item>();
	const trash: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete') };
	box.title = vscode.l10n.t("Annotations of '{0}'", name);
	box.placeholder =
		annotations.length > 0
			? vscode.l10n.t('Select an annotation to edit')
			: vscode.l10n.t("No annotations yet. Use 'Save as annotation…' on a reply to create one.");
	box.matchOnDetail = true;
	box.items = annotations.map(annotation => ({
		label: cutText(annotation.question || '–', 120),
		detail: cutText(annotation.answer ?? '', 200),
		...(annotation.hit_count && {
			description: annotation.hit_count === 1 ? vscode.l10n.t('Used once') : vscode.l10n.t('Used {0} times', annotation.hit_count),
		}),
		buttons: [trash],
		annotation,
	}));
	return new Promise(resolve => {
		box.onDidAccept(() => {
			const [item] = box.selectedItems;
			resolve(item && { annotation: item.annotation, deletes: false });
			box.hide();
		});
		box.onDidTriggerItemButton(({ item }) => {
			resolve({ annotation: item.annotation, deletes: true });
			box.hide();
		});
		box.onDidHide(() => {
			resolve(undefined);
			box.dispose();
		});
		box.show();
	});
}

async function readAnnotations(app: AppFeatures): Promise<Annotation[]> {
	const annotations: Annotation[] = [];
	for await (const annotation of app.iterateAnnotations({ limit: 100 })) {
		annotations.push(annotation);
		if (annotations.length === mostAnnotations) {
			break;
		}
	}
	return annotations;
}

async function deleteAnnotation(app: AppFeatures, { id, question }: Annotation): Promise<void> {
	const yes = vscode.l10n.t('Delete');
	const sentence = vscode.l10n.t("Delete annotation '{0}'?", cutText(question ?? '', 120));
	const detail = vscode.l10n.t("The app's model will answer this question again. The annotation's hit history will also be deleted.");
	if ((await vscode.window.showWarningMessage(sentence, { modal: true, detail }, yes)) === yes) {
		await app.deleteAnnotation(id);
	}
}
