import type { Localization } from '#base/text/localization.ts';

/** Strings of rendered Markdown, translated by the host because webviews have no translations. The page fills in `{0}`. */
export function getMarkdownStrings({ t }: Localization) {
	return {
		diagram: t({ message: 'Diagram', comment: ['noun: name of a picture that has no title'] }),
		showSource: t('Show source'),
		actualSize: t('Actual size'),
		diagramProblem: t("Couldn't draw this diagram: {0}"),
		diagramTooLarge: t('This diagram is too large to draw.'),
		formulaTooLarge: t('This formula is too large to show.'),
		footnote: t('Footnote {0}'),
		footnoteBack: t('Back to the text'),
	};
}

export type MarkdownStrings = ReturnType<typeof getMarkdownStrings>;
