import * as vscode from 'vscode';
import type { Targets } from '../../chat/targets.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { escapeIcons, escapeLinks } from '../../platform/wording.ts';
import { type ChosenModel, getModelId } from './chosenModel.ts';
import type { ChosenModels } from './chosenModels.ts';
import { listOffers, type OfferedModel } from './offeredModels.ts';

/** An item of the list: a model, or a separator if `model` is undefined. */
interface ModelItem extends vscode.QuickPickItem {
	model?: ChosenModel;
}

const otherName: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: vscode.l10n.t('Rename') };

/** Lets the user choose and rename the models and agents that VS Code's chat lists. */
export async function chooseModels(connections: Connections, targets: Targets, chosen: ChosenModels): Promise<void> {
	const pick = vscode.window.createQuickPick<ModelItem>();
	pick.title = vscode.l10n.t("Models and agents in VS Code's chat");
	pick.placeholder = vscode.l10n.t('Select models and agents to list. Use the pencil to rename one.');
	pick.canSelectMany = true;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.ignoreFocusOut = true;
	pick.busy = true;
	pick.show();
	// listen from the start, because the user may cancel before all services have responded
	const hidden = new Promise<undefined>(resolve => pick.onDidHide(() => resolve(undefined)));
	try {
		const before = chosen.listModels();
		const items = await Promise.race([listModelItems(connections, targets, before), hidden]);
		if (!items) {
			return;
		}
		pick.items = items;
		pick.selectedItems = pick.items.filter(({ model }) => model && before.some(each => getModelId(each) === getModelId(model)));
		pick.busy = false;
		const models = await waitForChoice(pick);
		if (models) {
			await chosen.saveModels(models);
			await showHowToListModels(models.length);
		}
	} finally {
		pick.dispose();
	}
}

async function listModelItems(connections: Connections, targets: Targets, before: readonly ChosenModel[]): Promise<ModelItem[]> {
	const offered = await listOffers(connections, targets);
	const items = offered.flatMap(({ connection, models, problems }): ModelItem[] => {
		const ids = new Set(models.map(getModelId));
		// chosen models stay selectable even if their service doesn't list them now
		const others = before.filter(each => each.connection === connection.id && !ids.has(getModelId(each)));
		const entries = [...models, ...others].map(model => createModelItem(model, before));
		const separator = { label: connection.name, kind: vscode.QuickPickItemKind.Separator };
		const failed = problems.map(problem => ({ label: escapeIcons(problem), kind: vscode.QuickPickItemKind.Separator }));
		return entries.length + failed.length === 0 ? [] : [separator, ...entries, ...failed];
	});
	// keep the user's entries of removed connections
	const gone = before.filter(each => !connections.get(each.connection)).map(model => createModelItem(model, before));
	return [...items, ...gone];
}

function createModelItem(offered: OfferedModel, before: readonly ChosenModel[]): ModelItem {
	const { detail, ...fresh } = offered;
	const model = before.find(each => getModelId(each) === getModelId(fresh)) ?? fresh;
	const kind = model.endpoint === 'agent' ? vscode.l10n.t('Agent') : '';
	return {
		label: escapeIcons(model.name ?? model.model),
		description: [kind, ...(model.name ? [model.model] : []), detail ?? ''].filter(Boolean).map(escapeIcons).join(' · '),
		buttons: [otherName],
		model,
	};
}

/** Resolves to the selected models, or `undefined` if the user cancels. */
function waitForChoice(pick: vscode.QuickPick<ModelItem>): Promise<readonly ChosenModel[] | undefined> {
	return new Promise((resolve, reject) => {
		let isNaming = false;
		const renameModelItem = async (item: ModelItem) => {
			isNaming = true;
			const selected = pick.selectedItems;
			await askForModelName(item);
			isNaming = false;
			// the quick pick doesn't show changed items until they are assigned again
			pick.items = [...pick.items];
			pick.selectedItems = selected.includes(item) ? selected : [...selected, item];
			pick.show();
		};
		pick.onDidTriggerItemButton(({ item }) => void renameModelItem(item).catch(reject));
		pick.onDidAccept(() => {
			resolve(pick.selectedItems.flatMap(({ model }) => (model ? [model] : [])));
			// hide now, because the notification that follows can stay open
			pick.hide();
		});
		pick.onDidHide(() => {
			if (!isNaming) {
				resolve(undefined);
			}
		});
	});
}

async function askForModelName(item: ModelItem): Promise<void> {
	const { model } = item;
	const value =
		model &&
		(await vscode.window.showInputBox({
			title: vscode.l10n.t("Name of '{0}' in VS Code's chat", model.model),
			prompt: vscode.l10n.t('Leave empty to use the original name.'),
			value: model.name ?? model.model,
		}));
	if (model && value !== undefined) {
		const { name: _, ...rest } = model;
		const given = value.trim();
		item.model = { ...rest, ...(given !== '' && given !== model.model && { name: given }) };
		item.label = escapeIcons(item.model.name ?? model.model);
	}
}

/** ID of the command that opens VS Code's page of language models. */
const modelsPage = 'workbench.action.chat.manage';

/** Tells the user how to show the models. VS Code doesn't list an extension's models until they are added on its own page. */
async function showHowToListModels(count: number): Promise<void> {
	if (count === 0) {
		return;
	}
	// older versions of VS Code lack this command
	const hasPage = (await vscode.commands.getCommands(true)).includes(modelsPage);
	const manage = vscode.l10n.t('Manage language models');
	const message =
		count === 1
			? vscode.l10n.t("Selected 1 model. If VS Code's chat doesn't list it, add 'Agent Workbench' to its language models.")
			: vscode.l10n.t("Selected {0} models. If VS Code's chat doesn't list them, add 'Agent Workbench' to its language models.", count);
	if ((await vscode.window.showInformationMessage(escapeLinks(message), ...(hasPage ? [manage] : []))) === manage) {
		await vscode.commands.executeCommand(modelsPage);
	}
}
