import fs from 'node:fs';
import path from 'node:path';
import { getInspectorStrings } from '#pages/inspector/inspectorStrings.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { useWorkbench } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';
import { getNodeRow, inspectLatestRun } from './inspectorFrame.ts';

describe('zz', () => {
	const session = useWorkbench({});
	it('looks', async () => {
		const { workbench } = session;
		await workbench.openFile('review-batch.run.json');
		await workbench.getCodeLens('Run').first().click();
		await workbench.output.waitForText('Agent Runs', /▷ review-batch [\s\S]*■ \w/);
		const frame = await inspectLatestRun(workbench, 'review-batch');
		await frame.evaluate(() => {
			window.addEventListener('message', event => {
				if (event.data?.type === 'snapshot' && !event.data.faked) {
					(window as never as { snap: unknown }).snap = event.data;
				}
			});
		});
		await getNodeRow(frame, 'Each review').waitFor();
		await frame.evaluate(() => window.dispatchEvent(new MessageEvent('message', { data: { type: 'changes', seq: 999, rows: [] } })));
		await frame.waitForFunction(() => 'snap' in window);
		const slider = frame.locator('.moments input');
		await workbench.saveScreenshot('m-present-dark');
		await slider.press('Home');
		for (let i = 0; i < 8; i++) {
			await slider.press('ArrowRight');
		}
		await frame.locator('.momentLine').first().waitFor();
		for (const theme of Object.keys(themes) as Theme[]) {
			await workbench.useTheme(theme);
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await workbench.saveScreenshot(`m-wide-${theme}`);
		}
		await workbench.useTheme('dark');
		for (const lang of ['zh-cn', 'ja']) {
			const bundle = JSON.parse(fs.readFileSync(path.join(root, `l10n/bundle.l10n.${lang}.json`), 'utf8')) as Record<string, string>;
			const strings = getInspectorStrings({
				t: ((given: string | { message: string; comment?: string[] }) =>
					typeof given === 'string' ? (bundle[given] ?? given) : (bundle[`${given.message}/${(given.comment ?? []).join('')}`] ?? given.message)) as never,
			});
			await frame.evaluate(strings => {
				const { snap } = window as never as { snap: object };
				window.dispatchEvent(new MessageEvent('message', { data: { ...snap, faked: true, strings } }));
			}, strings as never);
			await slider.press('ArrowRight');
			await slider.press('ArrowLeft');
			await workbench.saveScreenshot(`m-wide-${lang}`);
			await workbench.page.setViewportSize({ width: 1000, height: 800 });
			await workbench.saveScreenshot(`m-narrow-${lang}`);
			await workbench.page.setViewportSize({ width: 1400, height: 900 });
		}
		await workbench.page.setViewportSize({ width: 1000, height: 800 });
		await workbench.saveScreenshot('m-narrow');
		await workbench.runCommand('View: Toggle Primary Side Bar Visibility').catch(() => undefined);
		await workbench.page.setViewportSize({ width: 760, height: 800 });
		await workbench.saveScreenshot('m-700');
	});
});
