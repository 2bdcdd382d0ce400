import { type Area, areaChart } from '../card/area-chart.js';
import { layOut, type Schedule, SOURCES, type Source } from './schedule.js';

const COLOURS: Readonly<Record<Source, string>> = { maths: '#8a8f98', text: '#2f6f9f', speech: '#d98324' };

/** The mix over time, as it is laid out, not only as it is asked for. */
export function curriculumPicture(schedule: Schedule): string {
  const steps = [...layOut(schedule)];
  const areas = SOURCES.map(
    (source): Area => ({
      ...{ name: source, colour: COLOURS[source] },
      shares: steps.map(({ tasks }) => tasks.filter((task) => task.source === source).length / tasks.length),
    }),
  );
  let first = 1;
  const marks = schedule.phases.map(({ name, steps: length }) => {
    const mark = { step: first, name };
    first += length;
    return mark;
  });
  return areaChart('Tasks per step', areas, marks);
}
