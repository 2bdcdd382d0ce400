import { stepsPicture } from '../curriculum/picture.js';
import type { DatasetManifest } from '../export/manifest.js';
import type { DatasetFormat } from '../formats/format.js';
import { histogramChart, shareChart } from './bar-chart.js';
import { type Block, toHtml, toMarkdown } from './blocks.js';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
const heading = (text: string): Block => ({ kind: 'heading', text });

function seconds(value: number): string {
  if (value < 120) return `${value.toFixed(0)} s`;
  return value < 7200 ? `${(value / 60).toFixed(1)} min` : `${(value / 3600).toFixed(1)} h`;
}

function overview(manifest: DatasetManifest): Block[] {
  const { statistics: of, purpose, tasks, splitOverlap, settings } = manifest;
  const passed = of.episodes === 0 ? 0 : of.passed / of.episodes;
  const rows = [
    ['episodes', `${of.episodes} in ${of.groups} groups (task and mode)`],
    [
      'group sizes',
      Object.entries(of.groupSizes)
        .map(([size, count]) => `${count} of ${size}`)
        .join(', '),
    ],
    ['groups with variance', `${of.variedGroups} of ${of.groups}`],
    ['tasks', `${of.tasks} by content`],
    ['speech and text pairs', `${of.speechTextPairs}`],
    ['passed', `${of.passed} (${percent(passed)})`],
    ['judged', `${of.judged} of ${of.episodes}`],
    [
      'live-judged',
      `${of.liveJudged}${of.liveJudged === 0 ? '' : ': a judge could break in before wrong actions'}`,
    ],
    [
      'agent turns',
      `${of.turns}: ${of.verdicts.right} right, ${of.verdicts.slip} slips or consequences, ${of.verdicts.deviation} deviations`,
    ],
    ['mean episode reward S', of.meanScore === null ? '–' : `${of.meanScore.toFixed(3)} over ${of.judged}`],
    [
      'sound',
      `${seconds(of.audioSeconds)} in ${of.clips} customer turns, ${of.distinctClips} distinct clips, 16 kHz mono, ${String(settings.audioFormat).toUpperCase()}`,
    ],
    ['made for', purpose === 'train' ? 'training' : 'evaluation'],
    [
      'evaluation tasks among them',
      `${tasks.evaluation}, compared by content with ${tasks.comparedWith} built-in evaluation tasks and by split name`,
    ],
    ['tasks in both splits', `${splitOverlap}`],
  ];
  return [{ kind: 'table', head: ['', ''], rows }];
}

function plots({ statistics: of }: DatasetManifest): Block[] {
  const plot = (file: string, alt: string, svg: string): Block => ({ kind: 'plot', file, alt, svg });
  const blocks: Block[] = [
    plot('plots/kinds.svg', 'Episodes by kind', shareChart('Episodes by kind (TARL)', of.kinds)),
    plot('plots/modes.svg', 'Episodes by mode', shareChart('Episodes by mode', of.modes)),
  ];
  if (of.scores.length > 0)
    blocks.push(
      plot('plots/rewards.svg', 'Episode rewards', histogramChart('Episode rewards S', of.scores, 'S')),
    );
  blocks.push(
    plot(
      'plots/turns.svg',
      'Turns per episode',
      histogramChart('Turns per episode', of.turnCounts, 'agent turns'),
    ),
  );
  if (of.clipSeconds.length > 0)
    blocks.push(
      plot(
        'plots/clips.svg',
        'Length of clips',
        histogramChart('Length of customer turns', of.clipSeconds, 'seconds'),
      ),
    );
  if (of.curriculum.length > 0)
    blocks.push(plot('plots/curriculum.svg', 'Tasks per step', stepsPicture(of.curriculum)));
  return blocks;
}

function provenance(manifest: DatasetManifest): Block[] {
  const blocks: Block[] = [
    heading('Where it comes from'),
    paragraph(
      `Written by Parlor ${manifest.parlor}: simulated customers, speech synthesis and a retail world that are all generated; no recording of a person, no customer of a real shop. ${manifest.seeds.distinct} seeds. ${manifest.unreadable === 0 ? 'Every record could be read.' : `${manifest.unreadable} lines or files could not be read and were left out.`}`,
    ),
    {
      kind: 'table',
      head: ['run', 'episodes', 'judge', 'turn rewards', 'advantage'],
      rows: manifest.runs.map(({ scorer, episodes }, place) => [
        String(place + 1),
        String(episodes),
        scorer === null ? 'not scored' : `${scorer.judge.name} ${scorer.judge.version}`,
        scorer === null ? '–' : `${scorer.rewards.name}, form ${scorer.turnScale}`,
        scorer?.advantage ?? '–',
      ]),
    },
  ];
  if (manifest.voices.length > 0)
    blocks.push(heading('Voices'), {
      kind: 'table',
      head: ['voice', 'licence', 'episodes', 'sound'],
      rows: manifest.voices.map(({ voice, licence, episodes, seconds: length }) => [
        ...[voice, licence ?? 'unknown', String(episodes), seconds(length)],
      ]),
    });
  return blocks;
}

function removed({ filters, skipped, figures }: DatasetManifest): Block[] {
  const rows = filters.map(({ rule, removed: count }) => [rule, String(count)]);
  const blocks: Block[] = [
    heading('What was left out'),
    { kind: 'table', head: ['rule', 'episodes removed'], rows },
  ];
  const notSaid = Object.entries(skipped);
  if (notSaid.length > 0)
    blocks.push(paragraph('Rows that a format cannot say:'), {
      kind: 'table',
      head: ['format and reason', 'rows'],
      rows: notSaid.map(([reason, count]) => [reason, String(count)]),
    });
  const known = Object.entries(figures).filter(([, count]) => count > 0);
  if (known.length > 0)
    blocks.push(heading('Counted while writing'), {
      kind: 'table',
      head: ['', 'count'],
      rows: known.map(([name, count]) => [name, String(count)]),
    });
  return blocks;
}

function formatTable(manifest: DatasetManifest, formats: readonly DatasetFormat[]): Block[] {
  const rows = formats.map(({ name, summary, audio }) => {
    const files = manifest.files.filter(({ format }) => format === name);
    const count = files.reduce((sum, file) => sum + file.rows, 0);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return [
      `\`${name}\``,
      summary,
      audio,
      String(count),
      files.length === 0
        ? '–'
        : `${(bytes / 1e6).toFixed(2)} MB in ${files.length} ${files.length === 1 ? 'file' : 'files'}`,
    ];
  });
  return [heading('Formats'), { kind: 'table', head: ['folder', 'for', 'sound', 'rows', 'files'], rows }];
}

/** The hub shows one kind of files per dataset: Parquet, where there is any, else JSON lines. Others are loaded by path. */
function frontMatter({ files, formats }: DatasetManifest): string {
  const has = (extension: string): boolean => files.some(({ path }) => path.endsWith(extension));
  const extension = has('.parquet') ? '.parquet' : '.jsonl';
  const configs = formats.flatMap((format) => {
    const own = files.filter((file) => file.format === format && file.path.endsWith(extension));
    if (own.length === 0) return [];
    const splits = ['train', 'validation'].filter((name) => own.some(({ split }) => split === name));
    return [
      ...[`  - config_name: ${format}`, '    data_files:'],
      ...splits.flatMap((split) => [
        ...[`      - split: ${split}`, `        path: ${format}/${split}-*${extension}`],
      ]),
    ];
  });
  return [
    ...['---', 'language:', '  - en', 'task_categories:', '  - reinforcement-learning', 'tags:'],
    ...['  - tool-use', '  - voice-agents', '  - synthetic', '  - parlor'],
    ...(configs.length === 0 ? [] : ['configs:', ...configs]),
    '---\n',
  ].join('\n');
}

/** Files of the card by name: README.md for the hub, card.html for a browser, the plots. */
export function datasetCard(
  manifest: DatasetManifest,
  formats: readonly DatasetFormat[],
): Map<string, string> {
  const hasMaths = manifest.statistics.curriculum.some(({ maths }) => maths > 0);
  const title = `Interleaved speech-text rollouts of a retail desk${hasMaths ? ', with maths problems' : ''}`;
  const images = plots(manifest);
  const blocks: Block[] = [
    paragraph(
      'A simulated customer speaks or writes; an agent answers and calls tools; every episode is verified and every turn judged. `manifest.json` has all figures and the hash of every file.',
    ),
    ...overview(manifest),
    ...images,
    ...formatTable(manifest, formats),
    ...removed(manifest),
    ...provenance(manifest),
  ];
  const card = new Map([
    ['README.md', `${frontMatter(manifest)}\n# ${title}\n\n${toMarkdown(blocks)}`],
    ['card.html', toHtml(title, blocks)],
  ]);
  for (const block of images) if (block.kind === 'plot') card.set(block.file, block.svg);
  return card;
}
