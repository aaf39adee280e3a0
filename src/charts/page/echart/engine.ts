import { BarChart, CustomChart, HeatmapChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, VisualMapComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

use([
  BarChart,
  CustomChart,
  HeatmapChart,
  LineChart,
  ScatterChart,
  GridComponent,
  VisualMapComponent,
  CanvasRenderer,
]);

/** ECharts with what our charts need of it. Only ever imported on demand: it is larger than the rest of the page. */
export { init };
